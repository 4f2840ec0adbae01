import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BlockFinder } from '../../../lib/chain/block-finder.ts';
import type { BlockRef } from '../../../lib/values/block.ts';

/** A chain of blocks with these timestamps, which counts how many headers are read. */
function chainOf(timestamps: readonly number[]) {
  const block = (number: number): BlockRef => ({ number, timestamp: timestamps[number] as number });
  const chain = {
    reads: 0,
    head: block(timestamps.length - 1),
    finder: new BlockFinder(async (number) => {
      chain.reads++;
      return block(number);
    }),
  };
  return chain;
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

describe('BlockFinder', () => {
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

  test('finds the last block at or before any time', async () => {
    await fc.assert(
      fc.asyncProperty(atBoundary, fc.integer({ min: 1, max: 12 }), async ({ timestamps, wanted }, atOnce) => {
        const chain = chainOf(timestamps);
        const found = await chain.finder.find(wanted, chain.head, atOnce);
        expect(found?.number ?? -1).toBe(lastAtOrBefore(timestamps, wanted));
      }),
      { numRuns: 1_000 },
    );
  });

  test('finds one block after another, also with the headers it remembers', async () => {
    await fc.assert(
      fc.asyncProperty(atBoundary, async ({ timestamps }) => {
        const chain = chainOf(timestamps);
        for (const timestamp of [...timestamps, ...timestamps.toReversed()]) {
          const wanted = [timestamp - 1, timestamp, timestamp + 1];
          const found: number[] = [];
          for (const time of wanted) found.push((await chain.finder.find(time, chain.head, 1))?.number ?? -1);
          expect(found).toEqual(wanted.map((time) => lastAtOrBefore(timestamps, time)));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('finds blocks while the head advances', async () => {
    const timestamps = [100, 100, 110, 110, 110, 120, 130, 130];
    const chain = chainOf(timestamps);
    for (const head of [2, 3, 4, 5, 6, 7]) {
      const until = timestamps.slice(0, head + 1);
      for (let wanted = 99; wanted <= 131; wanted++) {
        const found = await chain.finder.find(wanted, { number: head, timestamp: timestamps[head] as number }, 1);
        expect(found?.number ?? -1).toBe(lastAtOrBefore(until, wanted));
      }
    }
  });

  test('typically reads at most 8 headers of a long chain whose pace has changed', async () => {
    const reads: number[] = [];
    for (let day = 1; day <= 60; day++) {
      const chain = chainOf(LONG_CHAIN);
      const wanted = chain.head.timestamp - day * 9_000;
      const found = await chain.finder.find(wanted, chain.head, 1);
      expect(found?.number).toBe(LONG_CHAIN.findLastIndex((timestamp) => timestamp <= wanted));
      reads.push(chain.reads);
    }
    reads.sort((a, b) => a - b);
    expect(reads[Math.floor(reads.length * 0.75)]).toBeLessThanOrEqual(8);
    expect(Math.max(...reads)).toBeLessThanOrEqual(20);
  });

  test('takes half as many rounds with many headers at once, of which no round has more', async () => {
    for (let day = 1; day <= 60; day++) {
      const rounds: number[] = [];
      let size = 0;
      const finder = new BlockFinder(async (number) => {
        size += 1;
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (size > 0) rounds.push(size);
        size = 0;
        return { number, timestamp: LONG_CHAIN[number] as number };
      });
      const { head } = chainOf(LONG_CHAIN);
      const wanted = head.timestamp - day * 9_000;
      const found = await finder.find(wanted, head, 36);
      expect(found?.number).toBe(LONG_CHAIN.findLastIndex((timestamp) => timestamp <= wanted));
      expect(rounds.length).toBeLessThanOrEqual(4);
      expect(Math.max(...rounds)).toBeLessThanOrEqual(36);
    }
  });

  test('starts near a block that it has found before', async () => {
    const chain = chainOf(LONG_CHAIN);
    const wanted = chain.head.timestamp - 300_000;
    await chain.finder.find(wanted, chain.head, 1);
    const first = chain.reads;
    await chain.finder.find(wanted + 60, chain.head, 1);
    expect(chain.reads - first).toBeLessThan(first);
    expect(chain.reads - first).toBeLessThanOrEqual(5);
  });

  test('reads no header twice, and remembers the last 500', async () => {
    const timestamps = Array.from({ length: 5_000 }, (_, number) => 1_000 + 10 * number);
    const reads: number[] = [];
    const finder = new BlockFinder(async (number) => {
      reads.push(number);
      return { number, timestamp: timestamps[number] as number };
    });
    const head = { number: 4_999, timestamp: timestamps[4_999] as number };
    const find = (number: number) => finder.find(timestamps[number] as number, head, 1);
    await find(4_000);
    const first = reads.length;
    await find(4_000);
    expect(reads).toHaveLength(first);
    // Each of these reads a header or two that have not been read before.
    for (let number = 10; number < 1_000; number += 2) await find(number);
    expect(new Set(reads).size).toBe(reads.length);
    const known = reads.slice(-500);
    const forgotten = reads.at(-501) as number;
    reads.length = 0;
    for (const number of known) await finder.find(timestamps[number] as number, head, 1);
    expect(reads.filter((number) => known.includes(number))).toEqual([]);
    await finder.find(timestamps[forgotten] as number, head, 1);
    expect(reads).toContain(forgotten);
  });

  test('costs little more than a bisection, even on a chain with an absurd pace', async () => {
    // A thousand blocks within seconds, a pause of years, and another thousand within seconds.
    const timestamps = [
      ...Array.from({ length: 1_000 }, (_, n) => 1_000 + Math.floor(n / 300)),
      ...Array.from({ length: 1_000 }, (_, n) => 900_000_000 + Math.floor(n / 300)),
    ];
    for (const wanted of [1_000, 1_001, 1_003, 500_000, 899_999_999, 900_000_000, 900_000_001]) {
      const chain = chainOf(timestamps);
      const found = await chain.finder.find(wanted, chain.head, 1);
      expect(found?.number).toBe(lastAtOrBefore(timestamps, wanted));
      // log2(2,000) is 11, and each bisection may come after two steps that gain little.
      expect(chain.reads).toBeLessThanOrEqual(33);
    }
  });

  test('finds nothing before the first block, and the head for any time after it', async () => {
    const chain = chainOf([100, 110, 120]);
    expect(await chain.finder.find(99, chain.head, 1)).toBeUndefined();
    expect(await chain.finder.find(1_000, chain.head, 1)).toEqual({ number: 2, timestamp: 120 });
    expect(await chain.finder.find(120, chain.head, 1)).toEqual({ number: 2, timestamp: 120 });
    expect(await chain.finder.find(119, chain.head, 1)).toEqual({ number: 1, timestamp: 110 });
    expect(await chain.finder.find(100, chain.head, 1)).toEqual({ number: 0, timestamp: 100 });
  });
});
