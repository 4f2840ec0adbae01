import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blockFinder } from '../../../lib/chain/block-finder.ts';
import type { BlockRef } from '../../../lib/values/block.ts';

/** A chain of blocks with these timestamps, which notes how many headers each level reads. */
function chainOf(timestamps: readonly number[]) {
  const block = (number: number): BlockRef => ({ number, timestamp: timestamps[number] as number });
  let size = 0;
  const levels: number[] = [];
  const finder = blockFinder(async (number) => {
    size += 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (size > 0) levels.push(size);
    size = 0;
    return block(number);
  });
  const head = block(timestamps.length - 1);
  return {
    head,
    levels,
    /** The numbers of the last blocks at or before these times, or −1. */
    find: async (wanted: readonly number[], at = head) =>
      (await finder(wanted, at)).map((found) => found?.number ?? -1),
    readsSoFar: () => levels.reduce((sum, level) => sum + level, 0),
  };
}

/** A small model of the C-Chain's pace: 2 s per block for years, then faster and faster to 1 s, never quite regular. */
const LONG_CHAIN = (() => {
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const count = 400_000;
  let time = 1_600_000_000;
  return Array.from({ length: count }, (_, number) => {
    const pace = number < count * 0.6 ? 2 : 2 - 2.5 * (number / count - 0.6);
    time += pace * (0.5 + random());
    return Math.floor(time);
  });
})();

/** The number of the last block at or before a time, from looking at all of them; -1 if there is none. */
function lastAtOrBefore(timestamps: readonly number[], time: number): number {
  return timestamps.filter((timestamp) => timestamp <= time).length - 1;
}

describe('blockFinder()', () => {
  /** Seconds between blocks: many blocks share a timestamp, some are hours apart. */
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 10_000 })), {
    minLength: 1,
    maxLength: 60,
  });
  /** A chain, and a time around which the answer changes: a block's timestamp, or one second before or after. */
  const atBoundary = gaps.chain((seconds) => {
    let time = 1_000;
    const timestamps = seconds.map((gap) => {
      time += gap;
      return time;
    });
    const wanted = fc
      .tuple(fc.constantFrom(...timestamps), fc.constantFrom(-1, 0, 1))
      .map(([timestamp, beside]) => timestamp + beside);
    return fc.record({ timestamps: fc.constant(timestamps), wanted });
  });

  test('finds the last blocks at or before any times', async () => {
    await fc.assert(
      fc.asyncProperty(atBoundary, fc.nat({ max: 50 }), async ({ timestamps, wanted }, others) => {
        const chain = chainOf(timestamps);
        const times = [wanted, ...timestamps.slice(0, others)];
        expect(await chain.find(times)).toEqual(times.map((time) => lastAtOrBefore(timestamps, time)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('reads about seven headers for each of many times, level by level, on a chain whose pace has changed', async () => {
    const chain = chainOf(LONG_CHAIN);
    const wanted = Array.from({ length: 60 }, (_, day) => chain.head.timestamp - (day + 1) * 9_000);
    const expected = wanted.map((time) => LONG_CHAIN.findLastIndex((timestamp) => timestamp <= time));
    expect(await chain.find(wanted)).toEqual(expected);
    expect(chain.levels.length).toBeLessThanOrEqual(9);
    expect(chain.readsSoFar()).toBeLessThanOrEqual(60 * 7.5);
    // Again, without a single one.
    const read = chain.readsSoFar();
    expect(await chain.find(wanted)).toEqual(expected);
    expect(chain.readsSoFar()).toBe(read);
  });

  test('finds a single time in a few levels, each of which fits a batch', async () => {
    for (let day = 1; day <= 60; day++) {
      const chain = chainOf(LONG_CHAIN);
      const wanted = chain.head.timestamp - day * 9_000;
      expect(await chain.find([wanted])).toEqual([LONG_CHAIN.findLastIndex((timestamp) => timestamp <= wanted)]);
      expect(chain.levels.length).toBeLessThanOrEqual(4);
      expect(Math.max(...chain.levels)).toBeLessThanOrEqual(39);
    }
  });

  test('costs little more than a bisection, even on a chain with an absurd pace', async () => {
    // A thousand blocks within seconds, a pause of years, and another thousand within seconds.
    const timestamps = [
      ...Array.from({ length: 1_000 }, (_, n) => 1_000 + Math.floor(n / 300)),
      ...Array.from({ length: 1_000 }, (_, n) => 900_000_000 + Math.floor(n / 300)),
    ];
    const wanted = [1_000, 1_001, 1_003, 500_000, 899_999_999, 900_000_000, 900_000_001];
    const times = Array.from({ length: 40 }, () => wanted).flat();
    const chain = chainOf(timestamps);
    expect(await chain.find(times)).toEqual(times.map((time) => lastAtOrBefore(timestamps, time)));
    // log2(2,000) is 11, and each bisection may come after four levels that gain little.
    expect(chain.levels.length).toBeLessThanOrEqual(55);
  });

  test('ends when headers are out of order, as none of an honest provider are', async () => {
    const chain = chainOf([100, 130, 110, 90, 140, 120, 150]);
    expect(await chain.find([95, 115, 125, 145])).toHaveLength(4);
  });
});
