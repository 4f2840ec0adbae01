import { beforeAll, describe, expect, test } from '@jest/globals';
import { getAddress, type Interface, id, type ParamType } from 'ethers';
import { loadArtifacts } from '../../../infra/devnet/compile.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';
import type { ProtocolAddresses, ProtocolState } from '../../../lib/chain/chain.ts';
import { readBalance, readExchangeRate, readGgAvax, readTotals } from '../../../lib/contracts/gg-avax.ts';
import { readGGPSupply, readOraclePrice, readRewardsPool, readVaultGGP } from '../../../lib/contracts/ggp.ts';
import { readTotalAVAXLiquidStakerAmt } from '../../../lib/contracts/minipool-manager.ts';
import { readClaimingContractPct, readPaused, readSettings } from '../../../lib/contracts/protocol-dao.ts';
import { readRequestsByOwner, readWithdrawQueue, readWithdrawRequests } from '../../../lib/contracts/withdraw-queue.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { runnerOf } from '../../support/contracts.ts';

/** The return values of readers, field by field, for contracts that answer every call with a different value. */

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
  const artifacts = await loadArtifacts();
  contracts = new Map(NAMES.map((name) => [addressOf(name), { name, abi: abiOf(artifacts, name) }]));
});

/** The number with which a call is answered, derived from the text of the call. It fits into every width. */
const numberOf = (call: string, place = 0) => BigInt(id(`${call} ${place}`)) % 2n ** 24n;

function answerTo(call: string, outputs: readonly ParamType[]): unknown[] {
  return outputs.map(({ baseType }, place) => {
    if (baseType === 'bool') return numberOf(call, place) % 2n === 1n;
    return baseType === 'string' ? call : numberOf(call, place);
  });
}

/** `answers` replace those derived from calls. `0x` is the answer of an address without the contract. */
function protocolOf(answers: Record<string, readonly unknown[] | '0x'> = {}): ProtocolState {
  const runner = runnerOf(({ to, data }) => {
    const { name, abi } = contracts.get(to) ?? {};
    const parsed = abi?.parseTransaction({ data });
    if (!abi || !parsed) throw new Error(`not a call of a state: ${to} ${data}`);
    const text = `${name}.${parsed.name}(${parsed.args.join()})`;
    const answer = answers[text] ?? answerTo(text, parsed.fragment.outputs);
    return answer === '0x' ? answer : abi.encodeFunctionResult(parsed.fragment, answer);
  });
  const block = async () => ({ number: 1, timestamp: 1 });
  const storageAt = () => Promise.reject(new Error('no storage is read'));
  return { runner, addresses, network, block, storageAt };
}

/** Fields that are named like the views they come from. */
const numbersOf = (contract: string, views: readonly string[]) =>
  Object.fromEntries(views.map((state) => [state, numberOf(`${contract}.${state}()`)]));
/** The values of views under the names that readers give them. */
const namedOf = (contract: string, views: Record<string, string>) =>
  Object.fromEntries(Object.entries(views).map(([name, view]) => [name, numberOf(`${contract}.${view}()`)]));

test('the pool has the values of TokenggAVAX, and both exchange rates', async () => {
  const numbers = [
    ...['totalAssets', 'totalSupply', 'totalReleasedAssets', 'stakingTotalAssets', 'amountAvailableForStaking'],
    ...['lastRewardsAmt', 'lastSync', 'rewardsCycleEnd', 'rewardsCycleLength'],
  ];
  expect(await readGgAvax(protocolOf())).toEqual({
    ...numbersOf('TokenggAVAX', numbers),
    name: 'TokenggAVAX.name()',
    symbol: 'TokenggAVAX.symbol()',
    avaxPerGgAvax: numberOf(`TokenggAVAX.convertToAssets(${10n ** 18n})`),
    ggAvaxPerAvax: numberOf(`TokenggAVAX.convertToShares(${10n ** 18n})`),
  });
  expect(await readExchangeRate(protocolOf())).toBe(numberOf(`TokenggAVAX.convertToAssets(${10n ** 18n})`));
  expect(await readTotals(protocolOf())).toEqual(
    numbersOf('TokenggAVAX', ['totalAssets', 'totalSupply', 'stakingTotalAssets', 'totalReleasedAssets']),
  );
  expect(await readBalance(protocolOf(), OWNER)).toBe(numberOf(`TokenggAVAX.balanceOf(${OWNER})`));
});

test('a view that TokenggAVAX does not have is omitted', async () => {
  const { symbol, ...others } = await readGgAvax(protocolOf());
  expect(await readGgAvax(protocolOf({ 'TokenggAVAX.symbol()': '0x' }))).toEqual(others);
});

test('the settings have the values of ProtocolDAO', async () => {
  const { withdrawForDelegationEnabled, ...numbers } = await readSettings(protocolOf());
  expect(Object.keys(numbers)).toHaveLength(18);
  const viewOf = (name: string) => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  expect(numbers).toEqual(
    namedOf('ProtocolDAO', Object.fromEntries(Object.keys(numbers).map((name) => [name, viewOf(name)]))),
  );
  const view = 'ProtocolDAO.getWithdrawForDelegationEnabled()';
  expect(withdrawForDelegationEnabled).toBe(numberOf(view) % 2n === 1n);
});

test('the shares of new GGP are read for each claimant', async () => {
  const share = (claimant: string) => numberOf(`ProtocolDAO.getClaimingContractPct(${claimant})`);
  expect(await readClaimingContractPct(protocolOf())).toEqual({
    ClaimNodeOp: share('ClaimNodeOp'),
    ClaimProtocolDAO: share('ClaimProtocolDAO'),
    MultisigManager: share('MultisigManager'),
  });
});

test.each(['TokenggAVAX', 'MinipoolManager', 'RewardsPool', 'Staking'])(
  'the paused flag is read for each contract: %s',
  async (name) => {
    const none = { TokenggAVAX: false, MinipoolManager: false, RewardsPool: false, Staking: false };
    const all = Object.keys(none).map((each) => [`ProtocolDAO.getContractPaused(${each})`, [each === name]]);
    expect(await readPaused(protocolOf(Object.fromEntries(all)))).toEqual({ ...none, [name]: true });
  },
);

test('the GGP rewards cycle has the values of RewardsPool', async () => {
  const views = {
    rewardsCycleCount: 'getRewardsCycleCount',
    rewardsCycleStartTime: 'getRewardsCycleStartTime',
    rewardsCycleTotalAmt: 'getRewardsCycleTotalAmt',
    inflationIntervalStartTime: 'getInflationIntervalStartTime',
  };
  expect(await readRewardsPool(protocolOf())).toEqual(namedOf('RewardsPool', views));
});

describe('a value is undefined if its contract does not exist yet:', () => {
  const price = 'Oracle.getGGPPriceInAVAX()';
  const stake = `Vault.balanceOfToken(Staking,${addressOf('TokenGGP')})`;
  const matched = 'MinipoolManager.getTotalAVAXLiquidStakerAmt()';
  test.each<[string, (state: ProtocolState) => Promise<unknown>, unknown]>([
    [price, readOraclePrice, { ggpPriceInAVAX: numberOf(price), updatedAt: Number(numberOf(price, 1)) }],
    ['TokenGGP.totalSupply()', readGGPSupply, numberOf('TokenGGP.totalSupply()')],
    [stake, (state) => readVaultGGP(state, 'Staking'), numberOf(stake)],
    [matched, readTotalAVAXLiquidStakerAmt, numberOf(matched)],
  ])('%s', async (call, read, expected) => {
    expect(await read(protocolOf())).toEqual(expected);
    expect(await read(protocolOf({ [call]: '0x' }))).toBeUndefined();
  });
});

describe('the withdrawal queue', () => {
  const pending = 'WithdrawQueue.getAllPendingRequests()';
  const fulfilled = 'WithdrawQueue.getAllFulfilledRequests()';
  const own = `WithdrawQueue.getRequestsByOwner(${OWNER},0,1000)`;
  /** Requests with these IDs, and shares equal to their IDs. */
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

  test('has the values of its contract', async () => {
    const views = {
      totalAllocatedFunds: 'totalAllocatedFunds',
      unstakeDelay: 'unstakeDelay',
      MIN_EXPIRATION_DELAY: 'MIN_EXPIRATION_DELAY',
      maxExpirationDelay: 'maxExpirationDelay',
      pendingRequestsCount: 'getPendingRequestsCount',
      fulfilledRequestsCount: 'getFulfilledRequestsCount',
    };
    expect(await readWithdrawQueue(protocolOf({ 'WithdrawQueue.paused()': [true] }))).toEqual({
      ...namedOf('WithdrawQueue', views),
      paused: true,
    });
  });

  test('has its pending and its fulfilled requests, each sorted by ID', async () => {
    const state = protocolOf({ [pending]: [[9, 3]], [fulfilled]: [[4]], ...requests(3, 4, 9) });
    expect(await readWithdrawRequests(state, 'getAllPendingRequests')).toEqual([request(3), request(9)]);
    expect(await readWithdrawRequests(state, 'getAllFulfilledRequests')).toEqual([request(4)]);
  });

  test('may not exist', async () => {
    expect(await readWithdrawRequests(protocolOf({ [pending]: '0x' }), 'getAllPendingRequests')).toBeUndefined();
    const none = protocolOf({ [own]: '0x', [pending]: '0x', [fulfilled]: '0x' });
    expect(await readRequestsByOwner(none, OWNER)).toEqual([]);
  });

  test('has all open requests of an owner, however many', async () => {
    const ids = Array.from({ length: 2_000 }, (_, id) => id);
    const pageAt = (offset: number) => `WithdrawQueue.getRequestsByOwner(${OWNER},${offset},1000)`;
    const pages = { [pageAt(0)]: [ids.slice(0, 1_000)], [pageAt(1_000)]: [ids.slice(1_000)], [pageAt(2_000)]: [[]] };
    const found = await readRequestsByOwner(protocolOf({ ...pages, ...requests(...ids) }), OWNER);
    expect(found.map(({ requestId }) => requestId).toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('returns the open requests of an owner', async () => {
    const state = protocolOf({ [own]: [[5, 8]], ...requests(5, 7, 8) });
    expect(await readRequestsByOwner(state, OWNER)).toEqual([request(5), request(8)]);
  });
});
