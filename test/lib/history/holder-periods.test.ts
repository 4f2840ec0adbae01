import { describe, expect, test } from '@jest/globals';
import { holderSpans } from '../../../lib/history/holder-flows.ts';
import { periodsOf, rangeOf } from '../../../lib/history/holder-periods.ts';
import { type PeriodLength, startOfPeriod } from '../../../lib/history/periods.ts';
import { DAY } from '../../../lib/values/durations.ts';

const at = (text: string) => Date.parse(text) / 1_000;
const E18 = 10n ** 18n;

describe('the start', () => {
  test.each<[string, PeriodLength, string, string]>([
    ['2024-02-29T12:00Z', '1d', '2024-02-29', '2024-03-01'],
    ['2024-02-29T12:00Z', '1mo', '2024-02-01', '2024-03-01'],
    ['2024-02-29T12:00Z', '1y', '2024-01-01', '2025-01-01'],
    ['2023-12-31T23:59:59Z', '1d', '2023-12-31', '2024-01-01'],
    ['2023-12-31T23:59:59Z', '1mo', '2023-12-01', '2024-01-01'],
    ['2024-01-01T00:00:00Z', '1mo', '2024-01-01', '2024-02-01'],
  ])('of the period of %s (%s) is %s, and that of the next one %s', (time, length, first, next) => {
    expect([startOfPeriod(at(time), length), startOfPeriod(at(time), length, 1)]).toEqual([at(first), at(next)]);
  });
});

describe('the periods of a holder', () => {
  const START = at('2024-01-30');
  const totals = (day: number) => ({ totalAssets: (100n + BigInt(day)) * E18, totalSupply: 100n * E18 });
  const moment = (day: number) => ({ time: START + day * DAY, totals: totals(day), avaxInUSD: 10n * E18 });
  const flow = (day: number, shares: bigint) => ({
    time: START + day * DAY + 1,
    shares: shares * E18,
    assets: (shares * totals(day).totalAssets) / 100n,
  });
  const days = (...days: number[]) => days.map(moment);
  const every = (count: number) => days(...Array.from({ length: count + 1 }, (_, day) => day));
  const summary = (spans: ReturnType<typeof holderSpans>, length: PeriodLength, until: number) =>
    periodsOf(spans, length, START + until * DAY).map(({ start, close, reward, isWhole }) => [
      new Date(start * 1_000).toISOString().slice(0, 10),
      (close.time - START) / DAY,
      reward / 10n ** 16n,
      isWhole,
    ]);

  test('are days, months or years, the last of which is not over', () => {
    // 100 ggAVAX earn 1 AVAX a day. January has two days left, and February 29.
    const spans = holderSpans([flow(0, 100n)], every(40));
    expect(periodsOf(spans, '1d', START + 40 * DAY).map(({ isWhole }) => isWhole)).toEqual(Array(40).fill(true));
    expect(summary(spans, '1mo', 40)).toEqual([
      ['2024-01-01', 2, 200n, true],
      ['2024-02-01', 31, 2_900n, true],
      ['2024-03-01', 40, 900n, false],
    ]);
    expect(summary(spans, '1y', 40)).toEqual([['2024-01-01', 40, 4_000n, false]]);
  });

  test('are whole although nothing was held at their end, once that is known', () => {
    const spans = holderSpans([flow(3, 100n), flow(5, -100n)], every(40)).slice(0, 3);
    expect(summary(spans, '1mo', 40)).toEqual([['2024-02-01', 6, 200n, true]]);
    expect(summary(spans, '1mo', 6)).toEqual([['2024-02-01', 6, 200n, false]]);
  });

  test('are one if a span reaches from one into the next', () => {
    const spans = holderSpans([flow(0, 100n)], days(0, 1, 3, 4, 31));
    expect(summary(spans, '1mo', 31)).toEqual([['2024-01-01', 31, 3_100n, false]]);
    expect(summary(spans, '1d', 31)).toEqual([
      ['2024-01-30', 1, 100n, true],
      ['2024-01-31', 3, 200n, false],
      ['2024-02-02', 4, 100n, true],
      ['2024-02-03', 31, 2_700n, false],
    ]);
  });

  test('begin the sum in USD after a day without a price', () => {
    const moments = every(40).map((each, day) => (day === 5 ? { ...each, avaxInUSD: undefined } : each));
    const [january, february] = periodsOf(holderSpans([flow(0, 100n)], moments), '1mo', START + 40 * DAY);
    expect(january?.usd).toEqual({ total: 20n * E18 });
    expect(february?.usd).toEqual({ total: 260n * E18, from: START + 5 * DAY });
  });

  test('are those that overlap a range: an end in common is neither outside nor an overlap', () => {
    const spans = holderSpans([flow(0, 100n)], days(0, 2));
    const inRange = (from: number, to: number) => {
      const range = { length: '1d', first: START + from * DAY, end: START + to * DAY } as const;
      const { periods, reward, isDivided } = rangeOf(spans, range, START + 9 * DAY);
      expect(reward).toBe(periods.length === 0 ? 0n : 2n * E18);
      return [periods.length, isDivided];
    };
    const [whole, divided, none] = [
      [1, false],
      [1, true],
      [0, false],
    ];
    expect([inRange(0, 2), inRange(-1, 3)]).toEqual([whole, whole]);
    expect([inRange(1, 2), inRange(0, 1)]).toEqual([divided, divided]);
    expect([inRange(2, 3), inRange(-1, 0)]).toEqual([none, none]);
  });
});
