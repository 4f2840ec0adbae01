import { describe, expect, test } from '@jest/globals';
import { getAddress } from 'ethers';
import type { ProtocolState } from '../../../lib/chain/chain.ts';
import { readGgAvax } from '../../../lib/contracts/gg-avax.ts';
import { readGGPSupply, readOraclePrice, readVaultGGP } from '../../../lib/contracts/ggp.ts';
import { readTotalAVAXLiquidStakerAmt } from '../../../lib/contracts/minipool-manager.ts';
import { readPaused } from '../../../lib/contracts/protocol-dao.ts';
import { readRequestsByOwner, readWithdrawRequests } from '../../../lib/contracts/withdraw-queue.ts';
import { type Answers, addresses, network, protocolOf } from '../../support/contracts.ts';

/** Views that may be missing, and lists. `npm run verify` compares the values of plain views with the contracts. */

const OWNER = getAddress(`0x${'a'.repeat(40)}`);

test('a view that TokenggAVAX does not have is omitted', async () => {
  const answers = {
    'totalAssets() view returns (uint256)': [5n],
    'convertToShares(uint256) view returns (uint256)': (assets: bigint) => [assets - 1n],
  };
  const state = protocolOf({ [addresses.TokenggAVAX]: answers });
  expect(await readGgAvax(state)).toEqual({ totalAssets: 5n, ggAvaxPerAvax: 10n ** 18n - 1n });
});

test.each(['TokenggAVAX', 'MinipoolManager', 'RewardsPool', 'Staking'])(
  'the paused flag is read for each contract: %s',
  async (paused) => {
    const answers = { 'getContractPaused(string) view returns (bool)': (name: unknown) => [name === paused] };
    const none = { TokenggAVAX: false, MinipoolManager: false, RewardsPool: false, Staking: false };
    const state = protocolOf({ [addresses.ProtocolDAO]: answers });
    expect(await readPaused(state)).toEqual({ ...none, [paused]: true });
  },
);

describe('a value is undefined if its contract does not exist yet:', () => {
  const balanceOfToken = (contract: unknown, token: unknown) =>
    contract === 'Staking' && token === addresses.TokenGGP ? [7n] : [0n];
  const readStake = (state: ProtocolState) => readVaultGGP(state, 'Staking');
  test.each<[keyof typeof addresses, Answers, (state: ProtocolState) => Promise<unknown>, unknown]>([
    [
      'Oracle',
      { 'getGGPPriceInAVAX() view returns (uint256, uint256)': [7n, 8n] },
      readOraclePrice,
      { ggpPriceInAVAX: 7n, updatedAt: 8 },
    ],
    ['TokenGGP', { 'totalSupply() view returns (uint256)': [7n] }, readGGPSupply, 7n],
    ['Vault', { 'balanceOfToken(string, address) view returns (uint256)': balanceOfToken }, readStake, 7n],
    [
      'MinipoolManager',
      { 'getTotalAVAXLiquidStakerAmt() view returns (uint256)': [7n] },
      readTotalAVAXLiquidStakerAmt,
      7n,
    ],
  ])('%s', async (name, answers, read, expected) => {
    expect(await read(protocolOf({ [addresses[name]]: answers }))).toEqual(expected);
    expect(await read(protocolOf({}))).toBeUndefined();
  });
});

describe('the withdrawal queue', () => {
  const getRequestInfo =
    'getRequestInfo(uint256) view returns ((address, uint256, uint256, uint48, uint48, uint48, uint256))';
  /** A queue in which requests have as many shares as their ID. */
  const queueOf = (answers: Answers) =>
    protocolOf({ [network.withdrawQueue]: { ...answers, [getRequestInfo]: (id) => [[OWNER, id, 2, 3, 4, 5, 6]] } });

  test('has its pending and its fulfilled requests, each sorted by ID', async () => {
    const state = queueOf({
      'getAllPendingRequests() view returns (uint256[])': [[9, 3]],
      'getAllFulfilledRequests() view returns (uint256[])': [[4]],
    });
    const request = (requestId: number) => ({
      ...{ requestId, requester: OWNER.toLowerCase(), shares: BigInt(requestId), expectedAssets: 2n },
      ...{ requestTime: 3, claimableTime: 4, expirationTime: 5, allocatedFunds: 6n },
    });
    expect(await readWithdrawRequests(state, 'getAllPendingRequests')).toEqual([request(3), request(9)]);
    expect(await readWithdrawRequests(state, 'getAllFulfilledRequests')).toEqual([request(4)]);
    expect(await readRequestsByOwner(state, OWNER)).toEqual([request(3), request(9), request(4)]);
  });

  test('may not exist', async () => {
    expect(await readWithdrawRequests(protocolOf({}), 'getAllPendingRequests')).toBeUndefined();
    expect(await readRequestsByOwner(protocolOf({}), OWNER)).toEqual([]);
  });

  test('has all open requests of an owner, however many', async () => {
    const ids = Array.from({ length: 2_000 }, (_, id) => id);
    const state = queueOf({
      'getRequestsByOwner(address, uint256, uint256) view returns (uint256[])': (owner, offset, limit) => [
        String(owner) === OWNER ? ids.slice(Number(offset), Number(offset + limit)) : [],
      ],
    });
    const found = await readRequestsByOwner(state, OWNER);
    expect(found.map(({ requestId }) => requestId)).toEqual(ids);
  });
});
