import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { rangeParams } from '../../../lib/api/range-params.ts';
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

  test('does not begin before 1970', () => {
    expect(range({ interval: '1d', to: 29 * DAY })).toMatchObject({ from: 0, to: 29 * DAY });
    expect(range({ interval: '1d', to: 31 * DAY })).toMatchObject({ from: DAY, to: 31 * DAY });
  });

  test('may be a single second', () => {
    expect(range({ interval: '1h', from: DAY_0, to: DAY_0 })).toMatchObject({ page: { from: DAY_0, to: DAY_0 } });
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

  test('in pages begins at its first boundary, even with a cursor before that', () => {
    const input = { interval: '1h', from: DAY_0 + 1, to: DAY_0 + 3 * HOUR, limit: 1 } as const;
    for (const cursor of [undefined, 0, DAY_0]) {
      expect(range({ ...input, cursor })).toMatchObject({
        page: { from: DAY_0 + HOUR, to: DAY_0 + HOUR },
        next: DAY_0 + 2 * HOUR,
      });
    }
  });

  test('that reaches into the future has no page after the present', () => {
    const future = range({ interval: '1h', from: DAY_0 + 4 * HOUR, to: DAY_0 + 9 * HOUR, limit: 2 });
    expect(future).toEqual({
      interval: '1h',
      from: DAY_0 + 4 * HOUR,
      to: DAY_0 + 9 * HOUR,
      page: { from: DAY_0 + 4 * HOUR, to: NOW },
    });
    const next = { interval: '1h', from: DAY_0 + 4 * HOUR, to: DAY_0 + 9 * HOUR, limit: 1 } as const;
    expect(range(next)).toMatchObject({ next: DAY_0 + 5 * HOUR });
    expect(range(next, DAY_0 + 5 * HOUR - 1)).not.toHaveProperty('next');
  });
});

describe('the parameters', () => {
  const Params = z.object(rangeParams);

  test('default to a daily interval and nothing else', () => {
    expect(Params.parse({})).toEqual({ interval: '1d' });
    const asked = { interval: '1h', from: '7', to: '9', limit: '1000', cursor: '1789084800' };
    expect(Params.parse(asked)).toEqual({ interval: '1h', from: 7, to: 9, limit: 1_000, cursor: DAY_0 });
  });

  test.each([
    { cursor: 'a1' },
    { cursor: '1a' },
    { cursor: '' },
    { cursor: '12345678901' },
    { limit: '-1' },
    { limit: '1001' },
    { interval: '1w' },
  ])('reject %j', (asked) => {
    expect(Params.safeParse(asked).success).toBe(false);
  });
});
