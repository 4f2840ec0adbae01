import { beforeAll, describe, expect, test } from '@jest/globals';
import { getAddress, type Interface, id, type ParamType } from 'ethers';
import { compileContracts } from '../../infra/local/devnet/compile.ts';
import { abiOf } from '../../infra/local/devnet/protocol.ts';
import type { View } from '../../lib/chain/chain.ts';
import type { ProtocolAddresses } from '../../lib/chain/storage.ts';
import { readBalance, readExchangeRate, readGgAvax, readTotals } from '../../lib/contracts/gg-avax.ts';
import { readTotalAVAXLiquidStakerAmt } from '../../lib/contracts/minipool-manager.ts';
import { readOraclePrice } from '../../lib/contracts/oracle.ts';
import { readClaimingContractPct, readPaused, readSettings } from '../../lib/contracts/protocol-dao.ts';
import { readGGPSupply, readRewardsPool } from '../../lib/contracts/rewards-pool.ts';
import { readTotalGGPStake } from '../../lib/contracts/vault.ts';
import { readRequestsOf, readWithdrawQueue, readWithdrawRequests } from '../../lib/contracts/withdraw-queue.ts';
import { NETWORKS } from '../../lib/networks.ts';

/** What readers read, field by field, of contracts that answer every call with another value. */

const NAMES = [
  ...['MinipoolManager', 'Oracle', 'ProtocolDAO', 'RewardsPool', 'TokenGGP', 'TokenggAVAX', 'Vault'],
  'WithdrawQueue',
] as const;
const addressOf = (name: string) => getAddress(id(name).slice(0, 42));
const OWNER = addressOf('an owner');
const network = { ...NETWORKS.devnet, withdrawQueue: addressOf('WithdrawQueue') };
const addresses = Object.fromEntries(NAMES.map((name) => [name, addressOf(name)])) as ProtocolAddresses;

let contracts: Map<string, { name: string; abi: Interface }>;
beforeAll(async () => {
  const artifacts = await compileContracts();
  contracts = new Map(NAMES.map((name) => [addressOf(name), { name, abi: abiOf(artifacts, name) }]));
});

/** The number that a call is answered with, by the text of the call. It fits every width. */
const told = (call: string, place = 0) => BigInt(id(`${call} ${place}`)) % 2n ** 24n;

function answerTo(call: string, outputs: readonly ParamType[]): unknown[] {
  return outputs.map(({ baseType }, place) => {
    if (baseType === 'bool') return told(call, place) % 2n === 1n;
    return baseType === 'string' ? call : told(call, place);
  });
}

/** `answers` are given in place of what calls are told otherwise; `0x` is what an address without the contract returns. */
function viewOf(answers: Record<string, readonly unknown[] | '0x'> = {}): View {
  const call = async ({ to, data }: { to: string; data: string }) => {
    const { name, abi } = contracts.get(to) ?? {};
    const parsed = abi?.parseTransaction({ data });
    if (!abi || !parsed) throw new Error(`not a call of a view: ${to} ${data}`);
    const text = `${name}.${parsed.name}(${parsed.args.join()})`;
    const answer = answers[text] ?? answerTo(text, parsed.fragment.outputs);
    return answer === '0x' ? answer : abi.encodeFunctionResult(parsed.fragment, answer);
  };
  const block = async () => ({ number: 1, timestamp: 1 });
  return { runner: { call }, addresses, network, block, run: async () => undefined };
}

/** The fields that are called as the views they come from. */
const toldBy = (contract: string, views: readonly string[]) =>
  Object.fromEntries(views.map((view) => [view, told(`${contract}.${view}()`)]));

test('the pool is what TokenggAVAX answers, with both rates', async () => {
  const numbers = [
    ...['totalAssets', 'totalSupply', 'totalReleasedAssets', 'stakingTotalAssets', 'amountAvailableForStaking'],
    ...['lastRewardsAmt', 'lastSync', 'rewardsCycleEnd', 'rewardsCycleLength'],
  ];
  expect(await readGgAvax(viewOf())).toEqual({
    ...toldBy('TokenggAVAX', numbers),
    name: 'TokenggAVAX.name()',
    symbol: 'TokenggAVAX.symbol()',
    avaxPerGgAvax: told(`TokenggAVAX.convertToAssets(${10n ** 18n})`),
    ggAvaxPerAvax: told(`TokenggAVAX.convertToShares(${10n ** 18n})`),
  });
  expect(await readExchangeRate(viewOf())).toBe(told(`TokenggAVAX.convertToAssets(${10n ** 18n})`));
  expect(await readTotals(viewOf())).toEqual(
    toldBy('TokenggAVAX', ['totalAssets', 'totalSupply', 'stakingTotalAssets', 'totalReleasedAssets']),
  );
  expect(await readBalance(viewOf(), OWNER)).toBe(told(`TokenggAVAX.balanceOf(${OWNER})`));
});

test('a view that the pool does not have is left out', async () => {
  const { symbol, ...others } = await readGgAvax(viewOf());
  expect(await readGgAvax(viewOf({ 'TokenggAVAX.symbol()': '0x' }))).toEqual(others);
});

test('settings are what the ProtocolDAO answers', async () => {
  const settings = [
    ...['getRewardsEligibilityMinSeconds', 'getRewardsCycleSeconds', 'getInflationIntervalSeconds'],
    ...['getInflationIntervalRate', 'getTargetGGAVAXReserveRate', 'getMinipoolNodeCommissionFeePct'],
    ...['getMinipoolCycleDuration', 'getMinCollateralizationRatio', 'getMaxCollateralizationRatio', 'getFeeBips'],
  ];
  expect(await readSettings(viewOf())).toEqual(toldBy('ProtocolDAO', settings));
});

test('shares of new GGP are those of each claimant', async () => {
  const share = (claimant: string) => told(`ProtocolDAO.getClaimingContractPct(${claimant})`);
  expect(await readClaimingContractPct(viewOf())).toEqual({
    ClaimNodeOp: share('ClaimNodeOp'),
    ClaimProtocolDAO: share('ClaimProtocolDAO'),
    MultisigManager: share('MultisigManager'),
  });
});

test.each([
  [true, false],
  [false, true],
])('paused or not is told of each contract: %p, %p', async (TokenggAVAX, MinipoolManager) => {
  const view = viewOf({
    'ProtocolDAO.getContractPaused(TokenggAVAX)': [TokenggAVAX],
    'ProtocolDAO.getContractPaused(MinipoolManager)': [MinipoolManager],
  });
  expect(await readPaused(view)).toEqual({ TokenggAVAX, MinipoolManager });
});

test('the cycle of GGP is what the RewardsPool answers', async () => {
  const views = ['getRewardsCycleCount', 'getRewardsCycleStartTime', 'getRewardsCycleTotalAmt'];
  const expected = toldBy('RewardsPool', [...views, 'getInflationIntervalStartTime']);
  expect(await readRewardsPool(viewOf())).toEqual(expected);
});

describe('what there may not be yet:', () => {
  const price = 'Oracle.getGGPPriceInAVAX()';
  const stake = `Vault.balanceOfToken(Staking,${addressOf('TokenGGP')})`;
  const matched = 'MinipoolManager.getTotalAVAXLiquidStakerAmt()';
  test.each<[string, (view: View) => Promise<unknown>, unknown]>([
    [price, readOraclePrice, { ggpPriceInAVAX: told(price), updatedAt: Number(told(price, 1)) }],
    ['TokenGGP.totalSupply()', readGGPSupply, told('TokenGGP.totalSupply()')],
    [stake, readTotalGGPStake, told(stake)],
    [matched, readTotalAVAXLiquidStakerAmt, told(matched)],
  ])('%s', async (call, read, expected) => {
    expect(await read(viewOf())).toEqual(expected);
    expect(await read(viewOf({ [call]: '0x' }))).toBeUndefined();
  });
});

describe('the withdrawal queue', () => {
  const pending = 'WithdrawQueue.getAllPendingRequests()';
  const fulfilled = 'WithdrawQueue.getAllFulfilledRequests()';
  const own = `WithdrawQueue.getRequestsByOwner(${OWNER},0,1000)`;
  /** Requests of these ids; their shares are their ids. */
  const requests = (...ids: number[]) =>
    Object.fromEntries(
      ids.map((requestId) => [`WithdrawQueue.getRequestInfo(${requestId})`, [[OWNER, requestId, 2, 3, 4, 5, 6]]]),
    );
  const request = (requestId: number) => ({
    requestId,
    requester: OWNER.toLowerCase(),
    shares: BigInt(requestId),
    expectedAssets: 2n,
    requestTime: 3,
    claimableTime: 4,
    expirationTime: 5,
    allocatedFunds: 6n,
  });

  test('is what the contract answers', async () => {
    const numbers = [
      ...['totalAllocatedFunds', 'unstakeDelay', 'MIN_EXPIRATION_DELAY', 'maxExpirationDelay'],
      ...['getPendingRequestsCount', 'getFulfilledRequestsCount'],
    ];
    expect(await readWithdrawQueue(viewOf({ 'WithdrawQueue.paused()': [true] }))).toEqual({
      ...toldBy('WithdrawQueue', numbers),
      paused: true,
    });
  });

  test('has its requests by their ids, each set by itself', async () => {
    const view = viewOf({ [pending]: [[9, 3]], [fulfilled]: [[4]], ...requests(3, 4, 9) });
    expect(await readWithdrawRequests(view, 'getAllPendingRequests')).toEqual([request(3), request(9)]);
    expect(await readWithdrawRequests(view, 'getAllFulfilledRequests')).toEqual([request(4)]);
  });

  test('may not be there', async () => {
    expect(await readWithdrawRequests(viewOf({ [pending]: '0x' }), 'getAllPendingRequests')).toBeUndefined();
    const none = viewOf({ [own]: '0x', 'WithdrawQueue.getRequestInfo(7)': '0x' });
    expect(await readRequestsOf(none, OWNER, [7])).toEqual([]);
  });

  test('has the open requests of an owner, whatever was expected', async () => {
    const view = viewOf({ [own]: [[5, 8]], ...requests(5, 7, 8) });
    for (const expected of [[], [5], [7], [5, 7, 8]]) {
      const found = await readRequestsOf(view, OWNER, expected);
      expect(found.toSorted((a, b) => a.requestId - b.requestId)).toEqual([request(5), request(8)]);
    }
  });
});
