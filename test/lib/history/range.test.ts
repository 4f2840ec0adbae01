import { describe, expect, test } from '@jest/globals';
import { type RangeInput, toRange } from '../../../lib/history/range.ts';
import { newestBoundary } from '../../../lib/history/record-history.ts';
import { boundaryBefore, countBoundaries, listBoundaries } from '../../../lib/history/series.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';

/** Numbers worked out by hand. 1,789,084,800 is 2026-09-11 00:00 UTC, a boundary of both series. */

const DAY_0 = 1_789_084_800;

describe('boundaries', () => {
  test.each([
    [DAY_0 - 1, '1h', DAY_0 - HOUR],
    [DAY_0, '1h', DAY_0],
    [DAY_0 + 3_599, '1h', DAY_0],
    [DAY_0 + 3_600, '1h', DAY_0 + HOUR],
    [DAY_0 - 1, '1d', DAY_0 - DAY],
    [DAY_0, '1d', DAY_0],
    [DAY_0 + 86_399, '1d', DAY_0],
    [DAY_0 + 86_400, '1d', DAY_0 + DAY],
  ] as const)('at or before %d (%s): the last one is %d', (time, interval, expected) => {
    expect(boundaryBefore(time, interval)).toBe(expected);
  });

  test.each([
    ['1h', DAY_0, DAY_0, [DAY_0]],
    ['1h', DAY_0 - 1, DAY_0 + 1, [DAY_0]],
    ['1h', DAY_0 + 1, DAY_0 + 3_599, []],
    ['1h', DAY_0 + 1, DAY_0 + 3_600, [DAY_0 + HOUR]],
    ['1h', DAY_0, DAY_0 + 7_200, [DAY_0, DAY_0 + 3_600, DAY_0 + 7_200]],
    ['1d', DAY_0 - 1, DAY_0 + 86_399, [DAY_0]],
    ['1d', DAY_0, DAY_0 + 86_400, [DAY_0, DAY_0 + 86_400]],
    ['1d', DAY_0 + 1, DAY_0, []],
    ['1d', DAY_0 + 5 * DAY, DAY_0, []],
  ] as const)('of %s from %d to %d are %j', (interval, from, to, expected) => {
    expect(listBoundaries(interval, from, to)).toEqual(expected);
    expect(countBoundaries(interval, from, to)).toBe(expected.length);
  });

  test.each([
    [DAY_0 - 1, DAY_0 - HOUR],
    // Another block may still have the same timestamp as the head.
    [DAY_0, DAY_0 - HOUR],
    [DAY_0 + 1, DAY_0],
    [DAY_0 + 3_600, DAY_0],
    [DAY_0 + 3_601, DAY_0 + HOUR],
  ])('of which the newest to record, with the head at %d, is %d', (timestamp, expected) => {
    expect(newestBoundary({ number: 1, timestamp })).toBe(expected);
  });
});

describe('a range', () => {
  const NOW = DAY_0 + 5 * HOUR + 60;
  const range = (input: RangeInput, now = NOW) => toRange(input, now);

  test('without bounds ends at the newest boundary and begins 30 intervals earlier', () => {
    expect(range({ interval: '1h' })).toEqual({
      interval: '1h',
      from: DAY_0 - 25 * HOUR,
      to: DAY_0 + 5 * HOUR,
      page: { from: DAY_0 - 25 * HOUR, to: DAY_0 + 5 * HOUR },
    });
    expect(range({ interval: '1d' })).toMatchObject({ from: DAY_0 - 30 * DAY, to: DAY_0 });
    expect(range({ interval: '1d' }, DAY_0 - 1)).toMatchObject({ from: DAY_0 - 31 * DAY, to: DAY_0 - DAY });
  });

  test('that begins after the newest boundary is empty, for clients that ask for anything newer than their last point', () => {
    for (const from of [DAY_0 + 5 * HOUR + 1, DAY_0 + 6 * HOUR, NOW + 1]) {
      const { page, ...bounds } = range({ interval: '1h', from });
      expect(bounds).toEqual({ interval: '1h', from, to: from });
      expect(countBoundaries('1h', page.from, page.to)).toBe(0);
    }
  });

  test('has at most 1,000 boundaries, unless it is read in pages', () => {
    const to = DAY_0;
    expect(range({ interval: '1h', from: to - 999 * HOUR, to })).toEqual({
      interval: '1h',
      from: to - 999 * HOUR,
      to,
      page: { from: to - 999 * HOUR, to },
    });
    const more = { interval: '1h', from: to - 1_000 * HOUR, to } as const;
    expect(() => range(more)).toThrow(/at most 1000 points.* 1001 \(interval 1h\)/);
    expect(range({ ...more, limit: 1_000 })).toMatchObject({ page: { from: more.from, to: to - HOUR }, next: to });
    expect(range({ ...more, cursor: to })).toMatchObject({ page: { from: to, to } });
    expect(range({ ...more, cursor: to })).not.toHaveProperty('next');
  });

  test('in pages names the boundary where the next page begins, except on the last one', () => {
    const input = { interval: '1h', from: DAY_0 - 4 * HOUR, to: DAY_0, limit: 2 } as const;
    expect(range(input)).toMatchObject({
      page: { from: DAY_0 - 4 * HOUR, to: DAY_0 - 3 * HOUR },
      next: DAY_0 - 2 * HOUR,
    });
    expect(range({ ...input, cursor: DAY_0 - 2 * HOUR })).toMatchObject({
      page: { from: DAY_0 - 2 * HOUR, to: DAY_0 - HOUR },
      next: DAY_0,
    });
    const last = range({ ...input, cursor: DAY_0 });
    expect(last.page).toEqual({ from: DAY_0, to: DAY_0 });
    expect(last).not.toHaveProperty('next');
  });
});
