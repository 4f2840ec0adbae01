import { describe, expect, test } from '@jest/globals';
import { limitToPast, type RangeInput, snapRange, toRange } from '../../../lib/history/range.ts';
import { listBoundaries } from '../../../lib/history/series.ts';
import { END_OF_TIME, HOUR } from '../../../lib/values/durations.ts';
import { clockAt } from '../../support/clock.ts';

/** Ranges are snapped to boundaries, so that those with the same points share a cached response. */

/** 2,000 s after an hourly boundary. */
const NOW = 1_790_000_000 - (1_790_000_000 % HOUR) + 2_000;
const NEWEST = NOW - 2_000;
const hours = (from: number | undefined, to?: number): RangeInput => ({ interval: '1h', from, to });

/** The boundaries in the response. */
function pointsOf(input: RangeInput): number[] {
  const { interval, page } = toRange(input, NOW);
  return listBoundaries(interval, page.from, page.to);
}

const LAST = NOW + 60;
test.each([
  [LAST, LAST - 1, { from: LAST, to: LAST - 1 }],
  // Blocks may be further ahead of a late clock.
  [NOW + HOUR, NOW + HOUR, { from: NOW + HOUR }],
  [NOW + HOUR + 1, NOW + HOUR + 2, { from: END_OF_TIME }],
  [1, LAST, { from: 1 }],
])('from %i to %i in whole seconds up to a minute from now is %j', (from, to, limited) => {
  const clock = clockAt(() => NOW * 1_000);
  expect(limitToPast({ from, to }, { clock })).toEqual({ to: undefined, ...limited });
});

describe('a range', () => {
  test.each<[string, RangeInput, RangeInput]>([
    ['that begins before a boundary begins at it', hours(NEWEST - 5 * HOUR - 1), hours(NEWEST - 5 * HOUR)],
    ['that begins at a boundary stays', hours(NEWEST - 5 * HOUR), hours(NEWEST - 5 * HOUR)],
    ['that begins after a boundary begins at the next one', hours(NEWEST - 5 * HOUR + 1), hours(NEWEST - 4 * HOUR)],
    ['that ends after a boundary ends at it', hours(0, 3 * HOUR + 1), hours(0, 3 * HOUR)],
    ['that ends at a boundary stays', hours(0, 3 * HOUR), hours(0, 3 * HOUR)],
    ['that ends before a boundary ends at the previous one', hours(0, 3 * HOUR - 1), hours(0, 2 * HOUR)],
    ['that ends at the newest boundary is the same as one without an end', hours(NEWEST, NEWEST), hours(NEWEST)],
    ['that ends in the future is the same as one without an end', hours(NEWEST, NOW + 10 * HOUR), hours(NEWEST)],
    ['with one boundary begins and ends at it', hours(HOUR - 1, HOUR + 1), hours(HOUR, HOUR)],
    ['without a boundary stays', hours(HOUR + 5, HOUR + 9), hours(HOUR + 5, HOUR + 9)],
    ['in the future stays', hours(NOW + HOUR, NOW + 9 * HOUR), hours(NOW + HOUR, NOW + 9 * HOUR)],
    ['without an end that begins after the newest boundary stays', hours(NEWEST + 1), hours(NEWEST + 1)],
    [
      'with a cursor goes on at the next boundary',
      { ...hours(0), cursor: HOUR + 1 },
      { ...hours(0), cursor: 2 * HOUR },
    ],
  ])('%s', (_, asked, snapped) => {
    expect(snapRange(asked, NOW)).toEqual(snapped);
    // A snapped range stays the same, and has the same points.
    expect(snapRange(snapped, NOW)).toEqual(snapped);
    if (asked.limit === undefined && asked.from) expect(pointsOf(snapped)).toEqual(pointsOf(asked));
  });

  test('has the same points when snapped, whatever second it begins and ends at', () => {
    for (let second = 0; second < 2 * HOUR; second += 97) {
      const asked = hours(NEWEST - 9 * HOUR + second, NEWEST - 5 * HOUR + second);
      expect(pointsOf(snapRange(asked, NOW))).toEqual(pointsOf(asked));
    }
  });
});
