import { describe, expect, test } from '@jest/globals';
import { type RangeInput, rangeOf, snapRange } from '../../lib/history/range.ts';
import { boundariesOf } from '../../lib/history/series.ts';

/** Ranges that have the same points are one answer. */

const HOUR = 3_600;
/** 2026-09-21 11:33:20 UTC; the hour began 2,000 s before. */
const NOW = 1_790_000_000 - (1_790_000_000 % HOUR) + 2_000;
const NEWEST = NOW - 2_000;
const hours = (from: number | undefined, to?: number): RangeInput => ({ interval: '1h', from, to });

/** The boundaries that are answered. */
function pointsOf(input: RangeInput): number[] {
  const { interval, page } = rangeOf(input, NOW);
  return boundariesOf(interval, page.from, page.to);
}

describe('a range', () => {
  test.each<[string, RangeInput, RangeInput]>([
    ['begins at its first boundary', hours(NEWEST - 5 * HOUR - 1), hours(NEWEST - 5 * HOUR)],
    ['may begin at a boundary', hours(NEWEST - 5 * HOUR), hours(NEWEST - 5 * HOUR)],
    ['begins at the next boundary', hours(NEWEST - 5 * HOUR + 1), hours(NEWEST - 4 * HOUR)],
    ['ends at its last boundary', hours(0, 3 * HOUR + 1), hours(0, 3 * HOUR)],
    ['may end at a boundary', hours(0, 3 * HOUR), hours(0, 3 * HOUR)],
    ['ends at the boundary before', hours(0, 3 * HOUR - 1), hours(0, 2 * HOUR)],
    ['that ends at the newest boundary is the one that says no end', hours(NEWEST, NEWEST), hours(NEWEST)],
    ['that ends in the future, too', hours(NEWEST, NOW + 10 * HOUR), hours(NEWEST)],
    ['without a boundary is a second without one', hours(HOUR + 5, HOUR + 9), hours(HOUR + 1, HOUR + 1)],
    ['of the future is the second after the newest', hours(NOW + HOUR, NOW + 9 * HOUR), hours(NEWEST + 1, NEWEST + 1)],
    ['without an end has nothing newer than the newest yet', hours(NEWEST + 1), hours(NEWEST + 1, NEWEST + 1)],
    ['without an end may begin in the future', hours(NEWEST + HOUR), hours(NEWEST + 1, NEWEST + 1)],
    ['goes on at a boundary', { ...hours(0), cursor: HOUR + 1 }, { ...hours(0), cursor: 2 * HOUR }],
  ])('%s', (_, asked, snapped) => {
    expect(snapRange(asked, NOW)).toEqual(snapped);
    // What is snapped stays, and answers the same.
    expect(snapRange(snapped, NOW)).toEqual(snapped);
    if (asked.limit === undefined && asked.from) expect(pointsOf(snapped)).toEqual(pointsOf(asked));
  });

  test('answers the same whatever second it begins and ends in', () => {
    for (let second = 0; second < 2 * HOUR; second += 97) {
      const asked = hours(NEWEST - 9 * HOUR + second, NEWEST - 5 * HOUR + second);
      expect(pointsOf(snapRange(asked, NOW))).toEqual(pointsOf(asked));
    }
  });
});
