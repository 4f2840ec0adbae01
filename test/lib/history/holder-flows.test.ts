import { describe, expect, test } from '@jest/globals';
import {
  earningsOf,
  flowsOf,
  holderSpans,
  isPriced,
  knownSum,
  openRequestsOf,
  type PricedPoolMoment,
  promiseIn,
  rewardUSD,
} from '../../../lib/history/holder-flows.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import type { Flow } from '../../../lib/rewards/holder-yield.ts';
import { mulWad } from '../../../lib/values/wad.ts';
import { DAY, wei } from '../rewards/units.ts';

const [ALBA, BRUNO, QUEUE, ZERO] = ['a1', 'b0', 'c3', '00'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];
const RATE = wei('1.2');

let logIndex = 0;
/** The n-th entry is in block n at n seconds, in a transaction of its own unless `fields` name one. */
const entry = (fields: Record<string, unknown>) => {
  logIndex += 1;
  return { block: logIndex, logIndex, timestamp: logIndex, txHash: `0x${logIndex}`, ...fields } as unknown as Entry;
};
const transfer = (from: string, to: string, shares: string, txHash = 'other') =>
  entry({
    type: 'ggAvaxTransferred',
    from,
    to,
    shares: wei(shares),
    rate: RATE,
    assets: mulWad(wei(shares), RATE),
    txHash,
  });

const kindsOf = (entries: readonly Entry[]) =>
  flowsOf(ALBA, entries, QUEUE.toUpperCase().replace('X', 'x')).map(({ kind, shares, assets }) => [
    kind,
    shares,
    assets,
  ]);

describe('the flows of a holder', () => {
  test('count shares given to the queue as withdrawn for oneself and as sent for others, and shares that come back as returned', () => {
    const requested = { type: 'unstakeRequested', requestId: 1, shares: 0n, expectedAssets: 0n, claimableTime: 0 };
    const entries = [
      transfer(ALBA, QUEUE, '5', 'own'),
      entry({ ...requested, requester: ALBA, shares: wei('5'), txHash: 'own' }),
      transfer(ALBA, QUEUE, '6', 'gift'),
      transfer(QUEUE, ALBA, '4', 'back'),
      // Another person requests for Alba as much as she gave before, and other shares move in that transaction.
      entry({ ...requested, requester: ALBA, shares: wei('6'), txHash: 'theirs' }),
      transfer(ALBA, BRUNO, '1', 'theirs'),
    ];
    expect(kindsOf(entries).map(([kind]) => kind)).toEqual([
      'withdrawn',
      'transferredOut',
      'returned',
      'transferredOut',
    ]);
  });

  test('match one withdrawal to one request of as many shares, whatever else the transaction moves', () => {
    const request = { type: 'unstakeRequested', requester: ALBA, claimableTime: 0, shares: wei('5'), txHash: 'all' };
    const entries = [
      transfer(ALBA, QUEUE, '5', 'all'),
      transfer(ALBA, BRUNO, '5', 'all'),
      transfer(ALBA, QUEUE, '6', 'all'),
      entry({ ...request, requestId: 1, expectedAssets: wei('6') + 57n }),
      // For Alba, with another person's shares.
      entry({ ...request, requestId: 2, expectedAssets: wei('6') + 58n }),
    ];
    expect(kindsOf(entries)).toEqual([
      ['withdrawn', -wei('5'), -wei('6') - 57n],
      ['transferredOut', -wei('5'), -wei('6')],
      ['transferredOut', -wei('6'), -wei('7.2')],
    ]);
  });

  test('value what the queue gives back at what it had promised, whatever the shares are worth by then', () => {
    const requested = { type: 'unstakeRequested', requester: ALBA, claimableTime: 0, txHash: 'asked' };
    const entries = [
      entry({ ...requested, requestId: 1, shares: wei('5'), expectedAssets: wei('5.5') }),
      entry({ ...requested, requestId: 2, shares: wei('5'), expectedAssets: wei('5.6') }),
      // Both in one transaction, each followed by its shares.
      entry({ type: 'unstakeReturned', requestId: 2, requester: ALBA, shares: wei('5'), txHash: 'ended' }),
      transfer(QUEUE, ALBA, '5', 'ended'),
      entry({ type: 'unstakeCancelled', requestId: 1, requester: ALBA, shares: wei('4.6'), txHash: 'ended' }),
      transfer(QUEUE, ALBA, '5', 'ended'),
      transfer(QUEUE, ALBA, '4.6', 'ended'),
      // Of no request.
      transfer(QUEUE, ALBA, '4.6', 'later'),
    ];
    expect(kindsOf(entries)).toEqual([
      ['returned', wei('5'), wei('5.6')],
      ['returned', wei('5'), wei('6')],
      ['returned', wei('4.6'), wei('5.5')],
      ['returned', wei('4.6'), wei('5.52')],
    ]);
    expect(flowsOf(ALBA, entries, QUEUE).map(({ rate }) => rate)).toEqual([RATE, RATE, RATE, RATE]);
    // As the archive's daily file adds them up: without the entries of the days before.
    const promised = new Map(entries.flatMap(promiseIn));
    expect(flowsOf(ALBA, entries.slice(2), QUEUE, promised)).toEqual(flowsOf(ALBA, entries, QUEUE));
  });

  test('include donations at the value burnt, unexplained mints and burns as transfers, and nothing that moves nothing', () => {
    const entries = [
      ...[transfer(ALBA, ALBA, '7'), transfer(ALBA, BRUNO, '0')],
      entry({ type: 'yieldAdded', source: 'donation', donor: ALBA, shares: wei('2'), amount: wei('2.39') }),
      transfer(ZERO, ALBA, '1'),
      transfer(ALBA, ZERO, '1'),
    ];
    expect(kindsOf(entries)).toEqual([
      ['transferredOut', -wei('2'), -wei('2.39')],
      ['transferredIn', wei('1'), wei('1.2')],
      ['transferredOut', -wei('1'), -wei('1.2')],
    ]);
  });
});

test("requests are the holder's own, and end when they are claimed, cancelled or returned", () => {
  const requested = (requestId: number, requester = ALBA) =>
    entry({ type: 'unstakeRequested', requestId, requester, expectedAssets: wei('1') });
  const entries = [
    ...[requested(1), requested(2), requested(3), requested(4, BRUNO), requested(5), requested(6)],
    entry({ type: 'unstakeFulfilled', requestId: 3, requester: ALBA }),
    entry({ type: 'unstakeClaimed', requestId: 1, requester: ALBA }),
    entry({ type: 'unstakeCancelled', requestId: 2, requester: ALBA }),
    entry({ type: 'unstakeReturned', requestId: 5, requester: ALBA }),
  ];
  expect(openRequestsOf(ALBA, entries)).toEqual([3, 6]);
});

const START = 20_000 * DAY;
const at = (days: number, rate: string, avaxInUSD?: string): PricedPoolMoment => ({
  time: START + days * DAY,
  totals: { totalAssets: wei(rate), totalSupply: wei('1') },
  ...(avaxInUSD && { avaxInUSD: wei(avaxInUSD) }),
});
const flow = (days: number, shares: string, assets: string, seconds = 0): Flow => ({
  time: START + days * DAY + seconds,
  shares: wei(shares),
  assets: wei(assets),
});

describe("a holder's history", () => {
  const boundaries = [at(0, '1'), at(1, '1.1', '10'), at(2, '1.2', '20'), at(3, '1.3', '40')];

  test('begins with the day of the first flow; midnight belongs to the day before', () => {
    const openings = (flows: Flow[]) => holderSpans(flows, boundaries).map(({ open }) => (open.time - START) / DAY);
    expect(openings([flow(1, '1', '1.1', 1)])).toEqual([1, 2]);
    expect(openings([flow(1, '1', '1.1')])).toEqual([0, 1, 2]);
    expect(openings([flow(2, '1', '1.2', 86_399)])).toEqual([2]);
    expect(openings([])).toEqual([]);
  });

  test('needs no recorded point at its start, but one at its end', () => {
    const [first, second] = holderSpans([flow(-1, '1', '0.9', 5)], boundaries);
    expect(first).toMatchObject({ open: { time: START - DAY }, close: boundaries[0], reward: wei('0.1') });
    expect(second?.reward).toBe(wei('0.1'));
    expect(holderSpans([flow(3, '1', '1.3', 5)], boundaries)).toEqual([]);
  });

  test('merges days into one span if the points between them are not recorded', () => {
    const [gap, day] = holderSpans([flow(0, '1', '1', 5)], [at(2, '1.2', '20'), at(3, '1.3', '40')]);
    expect([gap?.close.time, day?.close.time]).toEqual([START + 2 * DAY, START + 3 * DAY]);
    expect(gap).toMatchObject({ open: { time: START }, reward: wei('0.2') });
  });
});

describe('the reward in USD', () => {
  const [held] = [[flow(0, '100', '100', 5)]];

  test("is each day's reward at that day's closing price", () => {
    const days = holderSpans(held, [at(1, '1.1', '10'), at(2, '1.2', '20')]);
    expect(days.map(rewardUSD)).toEqual([wei('100'), wei('200')]);
    expect(knownSum(days, rewardUSD)).toEqual({ total: wei('300'), from: undefined });
  });

  test('is unknown without a price, or over more than a day', () => {
    const unpriced = holderSpans(held, [at(1, '1.1'), at(2, '1.2', '20')]);
    expect(unpriced.map(rewardUSD)).toEqual([undefined, wei('200')]);
    expect(knownSum(unpriced, rewardUSD)).toEqual({ total: wei('200'), from: START + DAY });
    expect(isPriced(knownSum(unpriced, rewardUSD))).toBe(false);
    const long = holderSpans(held, [at(2, '1.1', '10')]);
    expect(long.map(rewardUSD)).toEqual([undefined]);
    expect(knownSum(long, rewardUSD)).toEqual({});
    expect(isPriced({})).toBe(false);
  });

  test('needs no price for a reward of 0', () => {
    expect(knownSum(holderSpans(held, [at(1, '1'), at(2, '1.2', '20')]), rewardUSD)).toEqual({ total: wei('400') });
    expect(knownSum([], rewardUSD)).toEqual({ total: 0n });
    expect(isPriced({ total: 0n })).toBe(true);
  });
});

describe('the earnings of a holder', () => {
  const flows = [flow(0, '100', '100', 5), flow(1, '-50', '-56', 5)];

  test('are the same whichever points are recorded, and reach up to the present', () => {
    const now = at(2.5, '1.25', '30');
    const all = earningsOf(flows, [at(0, '1'), at(1, '1.1', '10'), at(2, '1.2', '20'), at(3, '1.3')], now);
    expect(all).toMatchObject({ shares: wei('50'), reward: wei('62.5') + wei('56') - wei('100') });
    expect(earningsOf(flows, [], now)).toMatchObject({ shares: all.shares, reward: all.reward });
    // 100 × 0.1 at 10 USD, then 100 × 0.02 + 50 × 0.08 at 20 USD, then 50 × 0.05 at 30 USD.
    expect(all.usd.total).toBe(wei('100') + wei('120') + wei('75'));
    expect(all.annualRate).toBeGreaterThan(0n);
  });

  test('without flows are 0, without a yearly rate', () => {
    expect(earningsOf([], [at(1, '1.1')], at(2, '1.2'))).toEqual({
      shares: 0n,
      reward: 0n,
      usd: { total: 0n },
      eur: { total: 0n },
      annualRate: undefined,
    });
  });
});
