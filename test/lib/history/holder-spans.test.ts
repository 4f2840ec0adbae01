import { describe, expect, test } from '@jest/globals';
import {
  annualRate,
  earnedIn,
  type Flow,
  holderSpans,
  isPriced,
  knownSum,
  type Moment,
  rangeOf,
  rewardUSD,
  spanOf,
} from '../../../lib/history/holder-spans.ts';
import type { PeriodLength } from '../../../lib/history/periods.ts';
import { DAY, wei } from '../rewards/units.ts';

/** The pool at a time when one ggAVAX is worth `rate` AVAX. */
const at = (time: number, rate: string): Moment => ({
  ...{ time, block: 0 },
  totals: { totalAssets: wei(rate) * 1_000n, totalSupply: wei('1000') },
});
const flow = (time: number, shares: string, assets: string): Flow => ({
  time,
  shares: wei(shares),
  assets: wei(assets),
});

/** 100 ggAVAX in at a rate of 1, half of it out at 1.1. Held until 1.2, they earn 100 × 0.1, then 50 × 0.1. */
const FLOWS = [flow(1_000, '100', '100'), flow(2_000, '-50', '-55')];

describe('a span', () => {
  const span = spanOf(0n, FLOWS, at(1_000, '1'), at(4_000, '1.2'));

  test('earns what the shares gain while they are held', () => {
    expect(span.reward).toBe(wei('15'));
    expect([span.openShares, span.closeShares]).toEqual([0n, wei('50')]);
    expect([span.inflow, span.outflow]).toEqual([wei('100'), wei('55')]);
  });

  test('has the integral of its value over time, as trapezoids between flows', () => {
    // 100 × 1.05 × 1,000 s and 50 × 1.15 × 2,000 s
    expect(span.valueTime).toBe(wei('105000') + wei('115000'));
  });

  test('has a yearly rate relative to that integral', () => {
    expect(annualRate(span)).toBe((wei('15') * 31_536_000n * 10n ** 18n) / wei('220000'));
    expect(annualRate({ reward: wei('1'), valueTime: wei('31536000') })).toBe(wei('1'));
    expect(annualRate({ reward: -wei('1'), valueTime: wei('63072000') })).toBe(-wei('0.5'));
  });

  test('has no yearly rate if nothing was held, or so little that rounding decides', () => {
    const [first, second] = [at(0, '1'), at(DAY, '1.1')];
    const idle = spanOf(0n, [], first, second);
    expect(idle).toMatchObject({ reward: 0n, valueTime: 0n, openShares: 0n, closeShares: 0n });
    expect(annualRate(idle)).toBeUndefined();
    // One wei that was held for three weeks, and has become two by rounding.
    expect(annualRate({ reward: 1n, valueTime: 21n * 86_400n })).toBeUndefined();
    const least = 10n ** 9n * 31_536_000n;
    expect(annualRate({ reward: 1n, valueTime: least })).toBe(10n ** 9n);
    expect(annualRate({ reward: 1n, valueTime: least - 1n })).toBeUndefined();
  });

  test('has a negative reward if the rate falls', () => {
    expect(spanOf(wei('10'), [], at(0, '1.2'), at(DAY, '1.1')).reward).toBe(-wei('1'));
  });

  test('takes the rate of a flow that counts at another value than its own', () => {
    const [open, close] = [at(1_000, '1'), at(2_000, '1.2')];
    const back = spanOf(0n, [{ ...flow(1_500, '10', '10'), rate: wei('1.1') }], open, close);
    expect(back).toMatchObject({ inflow: wei('10'), reward: wei('2'), valueTime: wei('5750') });
  });

  test('derives no rate from a flow so small that rounding distorts it', () => {
    const [open, close] = [at(0, '1.5'), at(2_000, '1.5')];
    const quiet = spanOf(wei('10'), [], open, close);
    // One wei of AVAX bought one wei of ggAVAX, which does not mean a rate of 1.
    const dusty = spanOf(wei('10'), [{ time: 1_000, shares: 1n, assets: 1n }], open, close);
    const difference = dusty.valueTime - quiet.valueTime;
    expect(difference >= 0n && difference < 2_000n).toBe(true);
    const sized = spanOf(wei('10'), [{ time: 1_000, shares: 10n ** 9n, assets: 10n ** 9n }], open, close);
    expect(sized.valueTime).toBeLessThan((quiet.valueTime * 9n) / 10n);
  });
});

const START = 20_000 * DAY;
const onDay = (days: number, rate: string, avaxInUSD?: string): Moment => ({
  ...{ time: START + days * DAY, block: 0 },
  totals: { totalAssets: wei(rate), totalSupply: wei('1') },
  ...(avaxInUSD && { avaxInUSD: wei(avaxInUSD) }),
});
const flowOn = (days: number, shares: string, assets: string, seconds = 0): Flow => ({
  time: START + days * DAY + seconds,
  shares: wei(shares),
  assets: wei(assets),
});

describe("a holder's history", () => {
  const boundaries = [onDay(0, '1'), onDay(1, '1.1', '10'), onDay(2, '1.2', '20'), onDay(3, '1.3', '40')];

  test('begins with the day of the first flow; midnight belongs to the day before', () => {
    const openings = (flows: Flow[]) => holderSpans(flows, boundaries).map(({ open }) => (open.time - START) / DAY);
    expect(openings([flowOn(1, '1', '1.1', 1)])).toEqual([1, 2]);
    expect(openings([flowOn(1, '1', '1.1')])).toEqual([0, 1, 2]);
    expect(openings([flowOn(2, '1', '1.2', 86_399)])).toEqual([2]);
    expect(openings([])).toEqual([]);
    const [first, second] = holderSpans([flowOn(0, '1', '1', 5), flowOn(1, '1', '1.1')], boundaries);
    expect([first?.inflow, second?.inflow, first?.open]).toEqual([wei('2.1'), 0n, boundaries[0]]);
  });

  test('needs no recorded point at its start, but one at its end', () => {
    const [first, second] = holderSpans([flowOn(-1, '1', '0.9', 5)], boundaries);
    expect(first).toMatchObject({ open: { time: START - DAY }, close: boundaries[0], reward: wei('0.1') });
    expect(second?.reward).toBe(wei('0.1'));
    expect(holderSpans([flowOn(3, '1', '1.3', 5)], boundaries)).toEqual([]);
  });

  test('merges days into one span if the points between them are not recorded', () => {
    const [gap, day] = holderSpans([flowOn(0, '1', '1', 5)], [onDay(2, '1.2', '20'), onDay(3, '1.3', '40')]);
    expect([gap?.close.time, day?.close.time]).toEqual([START + 2 * DAY, START + 3 * DAY]);
    expect(gap).toMatchObject({ open: { time: START }, reward: wei('0.2') });
  });
});

describe('the reward in USD', () => {
  const [held] = [[flowOn(0, '100', '100', 5)]];

  test("is each day's reward at that day's closing price", () => {
    const days = holderSpans(held, [onDay(1, '1.1', '10'), onDay(2, '1.2', '20')]);
    expect(days.map(rewardUSD)).toEqual([wei('100'), wei('200')]);
    expect(knownSum(days, rewardUSD)).toEqual({ total: wei('300'), from: undefined });
    // Both in euros of 1.25 USD.
    const inEUR = days.map((day) => ({ ...day, close: { ...day.close, eurInUSD: wei('1.25') } }));
    expect(earnedIn(inEUR).eur).toEqual({ total: wei('240'), from: undefined });
  });

  test('is unknown without a price, or over more than a day', () => {
    const unpriced = holderSpans(held, [onDay(1, '1.1'), onDay(2, '1.2', '20')]);
    expect(unpriced.map(rewardUSD)).toEqual([undefined, wei('200')]);
    expect(knownSum(unpriced, rewardUSD)).toEqual({ total: wei('200'), from: START + DAY });
    expect(isPriced(knownSum(unpriced, rewardUSD))).toBe(false);
    const long = holderSpans(held, [onDay(2, '1.1', '10')]);
    expect(long.map(rewardUSD)).toEqual([undefined]);
    expect(knownSum(long, rewardUSD)).toEqual({});
    expect(isPriced({})).toBe(false);
  });

  test('needs no price for a reward of 0', () => {
    expect(knownSum(holderSpans(held, [onDay(1, '1'), onDay(2, '1.2', '20')]), rewardUSD)).toEqual({
      total: wei('400'),
    });
    expect(knownSum([], rewardUSD)).toEqual({ total: 0n });
    expect(isPriced({ total: 0n })).toBe(true);
  });
});

describe('the earnings of a holder', () => {
  const flows = [flowOn(0, '100', '100', 5), flowOn(1, '-50', '-56', 5)];

  test('are the same whichever points are recorded', () => {
    const now = onDay(2.5, '1.25', '30');
    const all = earnedIn(holderSpans(flows, [onDay(0, '1'), onDay(1, '1.1', '10'), onDay(2, '1.2', '20'), now]));
    expect(all.reward).toBe(wei('62.5') + wei('56') - wei('100'));
    expect(earnedIn(holderSpans(flows, [now])).reward).toBe(all.reward);
    // 100 × 0.1 at 10 USD, then 100 × 0.02 + 50 × 0.08 at 20 USD, then 50 × 0.05 at 30 USD.
    expect(all.usd.total).toBe(wei('100') + wei('120') + wei('75'));
    expect(annualRate(all)).toBeGreaterThan(0n);
  });

  test('without flows are 0', () => {
    const nothing = { reward: 0n, valueTime: 0n, usd: { total: 0n }, eur: { total: 0n } };
    expect(earnedIn(holderSpans([], [onDay(1, '1.1'), onDay(2, '1.2')]))).toEqual(nothing);
  });
});

const E18 = 10n ** 18n;

describe('the periods of a holder', () => {
  const FIRST = Date.parse('2024-01-30') / 1_000;
  const totals = (day: number) => ({ totalAssets: (100n + BigInt(day)) * E18, totalSupply: 100n * E18 });
  const moment = (day: number) => ({ time: FIRST + day * DAY, block: 0, totals: totals(day), avaxInUSD: 10n * E18 });
  const put = (day: number, shares: bigint) => ({
    time: FIRST + day * DAY + 1,
    shares: shares * E18,
    assets: (shares * totals(day).totalAssets) / 100n,
  });
  const days = (...days: number[]) => days.map(moment);
  const every = (count: number) => days(...Array.from({ length: count + 1 }, (_, day) => day));
  const periodsOf = (spans: ReturnType<typeof holderSpans>, length: PeriodLength, until: number) =>
    rangeOf(spans, { length, first: 0, end: Number.POSITIVE_INFINITY }, FIRST + until * DAY).periods;
  const summary = (spans: ReturnType<typeof holderSpans>, length: PeriodLength, until: number) =>
    periodsOf(spans, length, until).map(({ start, close, reward, isWhole }) => [
      new Date(start * 1_000).toISOString().slice(0, 10),
      (close.time - FIRST) / DAY,
      reward / 10n ** 16n,
      isWhole,
    ]);

  test('are days, months or years, the last of which is not over', () => {
    // 100 ggAVAX earn 1 AVAX a day. January has two days left, and February 29.
    const spans = holderSpans([put(0, 100n)], every(40));
    expect(periodsOf(spans, '1d', 40).map(({ isWhole }) => isWhole)).toEqual(Array(40).fill(true));
    expect(summary(spans, '1mo', 40)).toEqual([
      ['2024-01-01', 2, 200n, true],
      ['2024-02-01', 31, 2_900n, true],
      ['2024-03-01', 40, 900n, false],
    ]);
    expect(summary(spans, '1y', 40)).toEqual([['2024-01-01', 40, 4_000n, false]]);
  });

  test('are whole although nothing was held at their end, once that is known', () => {
    const spans = holderSpans([put(3, 100n), put(5, -100n)], every(40)).slice(0, 3);
    expect(summary(spans, '1mo', 40)).toEqual([['2024-02-01', 6, 200n, true]]);
    expect(summary(spans, '1mo', 6)).toEqual([['2024-02-01', 6, 200n, false]]);
  });

  test('do not count what no day has, and are not whole then', () => {
    const spans = holderSpans([put(0, 100n)], days(0, 1, 3, 4, 31));
    expect(summary(spans, '1mo', 31)).toEqual([
      ['2024-01-01', 1, 100n, false],
      ['2024-02-01', 4, 100n, false],
    ]);
    expect(summary(spans, '1d', 31)).toEqual([
      ['2024-01-30', 1, 100n, true],
      ['2024-02-02', 4, 100n, true],
    ]);
    // A span without a reward has a date however long it is.
    expect(summary(holderSpans([put(0, 0n)], days(0, 1, 3)), '1d', 3)).toHaveLength(2);
  });

  test('begin the sum in USD after a day without a price', () => {
    const moments = every(40).map((each, day) => (day === 5 ? { ...each, avaxInUSD: undefined } : each));
    const [january, february] = periodsOf(holderSpans([put(0, 100n)], moments), '1mo', 40);
    expect(january?.usd).toEqual({ total: 20n * E18 });
    expect(february?.usd).toEqual({ total: 260n * E18, from: FIRST + 5 * DAY });
  });

  test('are those that overlap a range: an end in common is neither outside nor an overlap', () => {
    const spans = holderSpans([put(0, 100n)], days(0, 1, 3));
    const inRange = (from: number, to: number) => {
      const range = { length: '1d', first: FIRST + from * DAY, end: FIRST + to * DAY } as const;
      const { periods, undated } = rangeOf(spans, range, FIRST + 9 * DAY);
      return `${periods.length} dated, ${undated.length} undated`;
    };
    for (const count of [inRange(0, 1), inRange(-1, 1)]) expect(count).toBe('1 dated, 0 undated');
    for (const count of [inRange(0, 2), inRange(-1, 3)]) expect(count).toBe('1 dated, 1 undated');
    expect(inRange(1, 2)).toBe('0 dated, 1 undated');
    for (const count of [inRange(3, 4), inRange(-1, 0)]) expect(count).toBe('0 dated, 0 undated');
  });
});
