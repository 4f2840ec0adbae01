import type { BlockRef } from '../values/block.ts';

/** Block time in seconds since late 2025. Only first guesses use it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** After this many levels in a row that did not halve an interval, the next one bisects it: the slope misleads. */
const SLOW_LEVELS = 4;
/**
 * Number of headers that a level reads, even if it searches fewer times: they cost no more requests. With the chain-id
 * call, one batch of a public provider.
 */
const HEADERS_OF_A_LEVEL = 39;
/** Maximum number of cached headers: enough for the searches of a recorder run, few enough for a linear scan. */
const MAX_KNOWN = 1_000;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/** A time that is searched for, and the narrowest known interval around it. */
interface Wanted {
  time: number;
  below: BlockRef;
  above: BlockRef;
  /** Number of blocks from `below` to `above`. */
  span: number;
  slowLevels: number;
}

/**
 * Finds blocks by time. The block time varies (2 s in 2023, about 1 s in 2026) and several blocks may share a second, so
 * a search interpolates. Headers are final and cached, so a search near an earlier one takes fewer reads.
 */
export class BlockFinder {
  readonly #readHeader: (number: number) => Promise<BlockRef>;
  readonly #known = new Map<number, BlockRef>();

  /** `readHeader` should read all headers that are requested in the same tick in one request. */
  constructor(readHeader: (number: number) => Promise<BlockRef>) {
    this.#readHeader = readHeader;
  }

  /**
   * Returns for each time (unix seconds) the last block at or before it, or undefined if the chain is younger. `head` is
   * the latest block. Searches level by level: each level reads headers for all times at once, and a header also narrows
   * the intervals of neighbouring times. One time per day over years takes seven levels on a chain like the C-Chain, a
   * single time two to four.
   */
  async find(times: readonly number[], head: BlockRef): Promise<(BlockRef | undefined)[]> {
    const all = times.map((time): Wanted => {
      const below = time >= head.timestamp ? head : BEFORE_GENESIS;
      return { time, below, above: head, span: Number.POSITIVE_INFINITY, slowLevels: 0 };
    });
    for (;;) {
      for (const wanted of all) this.#narrow(wanted);
      const open = all.filter(({ span }) => span > 1);
      if (open.length === 0) return all.map(({ below }) => (below === BEFORE_GENESIS ? undefined : below));
      const each = Math.max(1, Math.floor(HEADERS_OF_A_LEVEL / open.length));
      const numbers = new Set(open.flatMap((wanted) => numbersAround(this.#guess(wanted), wanted, each)));
      await Promise.all(Array.from(numbers, (number) => this.#read(number)));
    }
  }

  /** Narrows the interval as far as known headers tell. */
  #narrow(wanted: Wanted): void {
    for (const block of this.#known.values()) {
      if (block.timestamp <= wanted.time) {
        if (block.number > wanted.below.number) wanted.below = block;
      } else if (block.number < wanted.above.number) wanted.above = block;
    }
    const span = wanted.above.number - wanted.below.number;
    wanted.slowLevels = span > wanted.span / 2 ? wanted.slowLevels + 1 : 0;
    wanted.span = span;
  }

  /** Interpolates from the nearer end of the interval, with the interval's slope. */
  #guess(wanted: Wanted): number {
    const { time, below, above, span } = wanted;
    if (wanted.slowLevels >= SLOW_LEVELS) {
      wanted.slowLevels = 0;
      return below.number + Math.floor(span / 2);
    }
    const secondsPerBlock = slope(below, above) ?? this.#knownSlope(above) ?? USUAL_SECONDS_PER_BLOCK;
    const near = time - below.timestamp < above.timestamp - time ? below : above;
    return near.number + Math.round((time - near.timestamp) / secondsPerBlock);
  }

  /** Seconds per block from a block to the newest known one. */
  #knownSlope(from: BlockRef): number | undefined {
    const [newest] = [...this.#known.values()].sort((a, b) => b.number - a.number);
    return newest && slope(from, newest);
  }

  async #read(number: number): Promise<void> {
    this.#known.set(number, await this.#readHeader(number));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Seconds per block between two blocks, or undefined if that is not a positive number. */
function slope(a: BlockRef, b: BlockRef): number | undefined {
  const seconds = (b.timestamp - a.timestamp) / (b.number - a.number);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * Up to `count` numbers between two blocks: the guess, and others on both sides of it at growing distances, because the
 * guess may be far off.
 */
function numbersAround(guess: number, { below, above, span }: Wanted, count: number): number[] {
  const [first, last] = [below.number + 1, above.number - 1];
  if (span - 1 <= count) return Array.from({ length: span - 1 }, (_, index) => first + index);
  const within = (number: number) => Math.min(Math.max(number, first), last);
  const centre = within(guess);
  const pairs = Math.floor((count - 1) / 2);
  const distances = Array.from({ length: pairs }, (_, index) => Math.round((span / 2) ** ((index + 1) / (pairs + 1))));
  return [...new Set([centre, ...distances.flatMap((by) => [centre - by, centre + by])].map(within))];
}
