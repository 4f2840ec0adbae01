import type { BlockRef } from '../values/block.ts';

/** Block time in seconds since late 2025. Only first guesses use it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** Headers of a level: they cost no more requests. With the chain-id call, one batch of a public provider. */
const HEADERS_OF_A_LEVEL = 39;
/** Maximum number of cached headers: enough for the searches of a recorder run, few enough for a linear scan. */
const MAX_KNOWN = 1_000;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/** A time that is searched for, and the narrowest known interval around it. */
interface Wanted {
  time: number;
  below: BlockRef;
  above: BlockRef;
}

/**
 * Returns a function that finds for each time (unix seconds) the last block at or before it, or undefined if the chain is
 * younger. Each level reads headers for all times in one tick, so many take hardly more requests than one. The block time
 * varies (2 s in 2023, about 1 s in 2026), and several blocks may share a second.
 */
export function blockFinder(readHeader: (number: number) => Promise<BlockRef>) {
  const known = new Map<number, BlockRef>();

  const read = async (number: number) => {
    known.set(number, await readHeader(number));
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  };

  return async (times: readonly number[], head: BlockRef): Promise<(BlockRef | undefined)[]> => {
    const all = times.map((time): Wanted => {
      return { time, below: time >= head.timestamp ? head : BEFORE_GENESIS, above: head };
    });
    for (;;) {
      for (const wanted of all) {
        for (const block of known.values()) {
          const isBelow = block.timestamp <= wanted.time;
          if (isBelow && block.number > wanted.below.number) wanted.below = block;
          if (!isBelow && block.number < wanted.above.number) wanted.above = block;
        }
      }
      const open = all.filter(({ below, above }) => above.number - below.number > 1);
      if (open.length === 0) return all.map(({ below }) => (below === BEFORE_GENESIS ? undefined : below));
      const each = Math.max(2, Math.floor(HEADERS_OF_A_LEVEL / open.length));
      const numbers = new Set(open.flatMap((wanted) => numbersFor(wanted, each)));
      await Promise.all(Array.from(numbers, read));
    }
  };
}

/**
 * Up to `count` numbers inside the interval: the middle, which halves it whatever the block times are, a guess by the
 * interval's slope, and others on both sides of the guess at growing distances.
 */
function numbersFor({ time, below, above }: Wanted, count: number): number[] {
  const [first, last] = [below.number + 1, above.number - 1];
  const size = last - first + 1;
  if (size <= count) return Array.from({ length: size }, (_, index) => first + index);
  const slope = (above.timestamp - below.timestamp) / (above.number - below.number);
  const secondsPerBlock = Number.isFinite(slope) && slope > 0 ? slope : USUAL_SECONDS_PER_BLOCK;
  const near = time - below.timestamp < above.timestamp - time ? below : above;
  const within = (number: number) => Math.min(Math.max(number, first), last);
  const guess = within(near.number + Math.round((time - near.timestamp) / secondsPerBlock));
  const pairs = Math.floor((count - 2) / 2);
  const distances = Array.from({ length: pairs }, (_, index) => Math.round((size / 2) ** ((index + 1) / (pairs + 1))));
  const around = distances.flatMap((by) => [guess - by, guess + by]).map(within);
  return [...new Set([guess, Math.floor((first + last) / 2), ...around])];
}
