import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BlockFinder } from '../../lib/chain/block-finder.ts';
import type { BlockRef } from '../../lib/chain/rpc.ts';

/** A chain of blocks with these timestamps, which counts the headers that are read. */
function chainOf(timestamps: readonly number[]) {
  const blocks = timestamps.map((timestamp, number) => ({ number, timestamp }));
  const chain = {
    reads: 0,
    head: blocks.at(-1) as BlockRef,
    finder: new BlockFinder(async (number) => {
      chain.reads++;
      return blocks[number] as BlockRef;
    }),
  };
  return chain;
}

/** The C-Chain's pace in small: 2 s a block for years, then faster and faster to 1 s, never quite regular. */
function longChain(): number[] {
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
}

describe('BlockFinder', () => {
  test('finds the last block at or before any time, shared seconds and gaps included', async () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 10_000 })), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(gaps, fc.nat({ max: 100_000 }), async (seconds, offset) => {
        let time = 1_000;
        const timestamps = seconds.map((gap) => (time += gap));
        const chain = chainOf(timestamps);
        const wanted = 900 + offset;
        const found = await chain.finder.find(wanted, chain.head);
        expect(found?.number ?? -1).toBe(timestamps.findLastIndex((timestamp) => timestamp <= wanted));
      }),
      { numRuns: 300 },
    );
  });

  test('typically needs no more than 8 headers on a long chain whose pace has changed', async () => {
    const timestamps = longChain();
    const reads: number[] = [];
    for (let day = 1; day <= 60; day++) {
      const chain = chainOf(timestamps);
      const wanted = chain.head.timestamp - day * 9_000;
      const found = await chain.finder.find(wanted, chain.head);
      expect(found?.number).toBe(timestamps.findLastIndex((timestamp) => timestamp <= wanted));
      reads.push(chain.reads);
    }
    reads.sort((a, b) => a - b);
    expect(reads[Math.floor(reads.length * 0.75)]).toBeLessThanOrEqual(8);
    expect(Math.max(...reads)).toBeLessThanOrEqual(20);
  });

  test('begins near a block that it has found before', async () => {
    const chain = chainOf(longChain());
    const wanted = chain.head.timestamp - 300_000;
    await chain.finder.find(wanted, chain.head);
    const first = chain.reads;
    await chain.finder.find(wanted + 60, chain.head);
    expect(chain.reads - first).toBeLessThan(first);
    expect(chain.reads - first).toBeLessThanOrEqual(5);
  });

  test('has nothing before the first block, and the head for the time after it', async () => {
    const chain = chainOf([100, 110, 120]);
    expect(await chain.finder.find(99, chain.head)).toBeUndefined();
    expect(await chain.finder.find(1_000, chain.head)).toEqual({ number: 2, timestamp: 120 });
  });
});
