import { describe, expect, test } from '@jest/globals';
import { ZeroAddress } from 'ethers';
import type { RequestContext } from '../../../lib/cache/cache.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import type { LedgerContext } from '../../../lib/ledger/ledger-store.ts';
import { readCurrent } from '../../../lib/protocol/protocol.ts';
import { readWithdrawals } from '../../../lib/protocol/withdrawals.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Telemetry } from '../../../lib/runtime/telemetry.ts';
import { type Answers, addresses, BLOCK, network, protocolOf } from '../../support/contracts.ts';
import { cover } from '../../support/log-chain.ts';
import { openLedger, tablesForEachTest } from '../../support/tables.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** The withdrawal queue, with numbers worked out by hand. */

tablesForEachTest();

const REQUESTER = `0x${'a'.repeat(40)}`;
const LATER = BLOCK.timestamp + 1;

interface Request {
  shares: bigint;
  expected: bigint;
  claimable?: number;
  expires: number;
  allocated?: bigint;
}

/** The contract's return value for an ID without a request. */
const NONE = [[ZeroAddress, 0, 0, 0, 0, 0, 0]];

/** A queue with these requests by id, of which some are pending and the others fulfilled. */
function queueOf(requests: Record<number, Request>, pending: bigint[], fulfilled: bigint[]): Answers {
  return {
    'getAllPendingRequests() view returns (uint256[])': [pending],
    'getAllFulfilledRequests() view returns (uint256[])': [fulfilled],
    'totalAllocatedFunds() view returns (uint256)': [60n],
    'getRequestInfo(uint256) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))':
      (id: bigint) => {
        const request = requests[Number(id)];
        if (!request) return NONE;
        const { shares, expected, claimable = 2, expires, allocated = 0n } = request;
        return [[REQUESTER, shares, expected, 1, claimable, expires, allocated]];
      },
  };
}

// Two have expired at the block and two have not. Of each pair, one is pending and one fulfilled.
const MIXED = queueOf(
  {
    3: { shares: 3n, expected: 30n, expires: LATER },
    1: { shares: 1n, expected: 10n, expires: BLOCK.timestamp },
    4: { shares: 4n, expected: 40n, expires: BLOCK.timestamp, allocated: 40n },
    2: { shares: 2n, expected: 20n, expires: LATER, allocated: 20n },
  },
  [3n, 1n],
  [4n, 2n],
);

const poolOf = (totalReleasedAssets = 90n): Answers => ({
  'totalAssets() view returns (uint256)': [100n],
  'totalSupply() view returns (uint256)': [80n],
  'stakingTotalAssets() view returns (uint256)': [30n],
  'totalReleasedAssets() view returns (uint256)': [totalReleasedAssets],
  'balanceOf(address) view returns (uint256)': [200n],
});

const dao = (isPaused: boolean): Answers => ({ 'getContractPaused(string) view returns (bool)': () => [isPaused] });

async function read(contracts: Record<string, Answers>, ledger = openLedger(network)) {
  const telemetry: Telemetry = recordingTelemetry();
  const context = { telemetry, clock: systemClock, ledger } as LedgerContext;
  // Without a cache: each dataset is read.
  const reader: RequestContext<LedgerContext> = { ...context, dataset: (one) => one.read(reader) };
  return readWithdrawals(reader, readCurrent(protocolOf(contracts)));
}

const readQueue = (queue: Answers, { released = 90n, paused = false } = {}) =>
  read({
    [network.withdrawQueue]: queue,
    [addresses.TokenggAVAX]: poolOf(released),
    [addresses.ProtocolDAO]: dao(paused),
  });

test('lists pending and fulfilled requests by their IDs, with their status', async () => {
  const queue = await readQueue(MIXED);
  expect(queue).toMatchObject({
    block: BLOCK,
    pool: { totalAssets: 100n, totalSupply: 80n, stakingTotalAssets: 30n },
    queue: { totalAllocatedFunds: 60n },
    pendingAVAX: 40n,
  });
  expect(queue.requests.map(({ requestId, status }) => [requestId, status])).toEqual([
    [1, 'expired'],
    [2, 'fulfilled'],
    [3, 'pending'],
    [4, 'expired'],
  ]);
  expect(queue.requests[0]).toEqual({
    requestId: 1,
    requester: REQUESTER,
    shares: 1n,
    assets: 1n,
    expectedAssets: 10n,
    requestTime: 1,
    claimableTime: 2,
    expirationTime: BLOCK.timestamp,
    allocatedFunds: 0n,
    status: 'expired',
    cancelShares: undefined,
    expiryShares: 1n,
  });
});

describe('a request returns', () => {
  // 100 AVAX belong to 80 shares, so AVAX buys 0.8 shares.
  test.each([
    ['pending', 'what its AVAX buys, or all of its shares later', { shares: 90n, expected: 100n }, 80n, 90n],
    ['pending', 'as many shares, if the rate has not changed', { shares: 80n, expected: 100n }, 80n, 80n],
    ['pending', 'more than its own shares, if the rate has fallen', { shares: 79n, expected: 100n }, 80n, 79n],
    ['pending', 'all that the queue has', { shares: 79n, expected: 250n }, 200n, 79n],
    [
      'pending',
      'nothing on cancelling, if the queue has not that many',
      { shares: 79n, expected: 252n },
      undefined,
      79n,
    ],
    ['pending', 'nothing on cancelling, if its AVAX buys nothing', { shares: 79n, expected: 1n }, undefined, 79n],
    ['pending', 'rounded down', { shares: 90n, expected: 99n }, 79n, 90n],
  ])('%s: %s', async (_, __, request, cancel, expiry) => {
    const { requests } = await readQueue(queueOf({ 7: { ...request, expires: LATER } }, [7n], []));
    expect(requests).toMatchObject([{ status: 'pending', cancelShares: cancel, expiryShares: expiry }]);
  });

  const FUNDED = { shares: 90n, expected: 100n, allocated: 50n };
  test.each([
    ['before it is due: what its AVAX buys', { claimable: LATER, expires: LATER }, false, 40n, undefined],
    [
      'before it is due, while ggAVAX is paused: nothing',
      { claimable: LATER, expires: LATER },
      true,
      undefined,
      undefined,
    ],
    ['once it is due: nothing', { claimable: BLOCK.timestamp, expires: LATER }, false, undefined, undefined],
    ['once it has expired: what its AVAX buys', { claimable: 2, expires: BLOCK.timestamp }, false, undefined, 40n],
    [
      'once it has expired, while paused: nothing',
      { claimable: 2, expires: BLOCK.timestamp },
      true,
      undefined,
      undefined,
    ],
  ])('with AVAX, %s', async (_, times, paused, cancel, expiry) => {
    const { requests } = await readQueue(queueOf({ 7: { ...FUNDED, ...times } }, [], [7n]), { paused });
    expect(requests).toMatchObject([{ cancelShares: cancel, expiryShares: expiry }]);
  });

  test('only what needs no rate, without a pool', async () => {
    const queue = queueOf({ 7: { shares: 90n, expected: 100n, expires: LATER } }, [7n], []);
    const { requests } = await read({ [network.withdrawQueue]: queue });
    expect(requests).toMatchObject([{ cancelShares: undefined, expiryShares: 90n }]);
  });
});

describe('the service', () => {
  const waiting = (claimable: number) => ({ shares: 1n, expected: 1n, claimable, expires: LATER });

  test('counts pending requests that are due, and names the oldest', async () => {
    const due = { 1: waiting(BLOCK.timestamp), 2: waiting(BLOCK.timestamp - 5), 3: waiting(LATER) };
    const { service } = await readQueue(queueOf(due, [3n, 1n, 2n], []));
    expect(service).toEqual({
      lastFulfilledTime: undefined,
      overdueRequests: 2,
      oldestOverdueTime: BLOCK.timestamp - 5,
    });
    const { service: onTime } = await readQueue(queueOf({ 3: waiting(LATER) }, [3n], []));
    expect(onTime).toEqual({ overdueRequests: 0 });
  });

  test('was last seen when the ledger says so', async () => {
    const store = openLedger(network);
    const fulfilled = (block: number, timestamp: number): Entry => ({
      ...{ block, logIndex: 0, timestamp, txHash: `0x${'0'.repeat(64)}`, type: 'unstakeFulfilled' },
      ...{ requestId: block, assets: 1n },
    });
    await store.write([fulfilled(5, 500), fulfilled(6, 600)]);
    await cover(store, 1, 9, 0);
    expect((await readQueue(MIXED)).service.lastFulfilledTime).toBe(600);
  });
});

// The pending requests redeem 3 shares and then 1, for 3 of 100 AVAX and 1 of 97. 70 of the AVAX are not staked.
test.each([
  [71n, 66n],
  [70n, 66n],
  [69n, 65n],
  [3n, -1n],
])('leaves a pool that has released %d of its assets with %d', async (released, left) => {
  const { pool } = await readQueue(MIXED, { released });
  expect(pool?.leftAssets).toBe(left);
});

test('without a queue, there are no requests', async () => {
  expect((await read({})).requests).toEqual([]);
});

test.each(['getAllPendingRequests', 'getAllFulfilledRequests'])('is unavailable without %s', async (missing) => {
  const others = Object.fromEntries(Object.entries(MIXED).filter(([state]) => !state.startsWith(missing)));
  await expect(read({ [network.withdrawQueue]: others })).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The withdrawal queue did not list its requests.',
  });
});
