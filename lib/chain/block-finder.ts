import type { BlockRef } from '../values/block.ts';

/** Block time since late 2025. Only first guesses use it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** After this many steps in a row that did not halve the interval, one step bisects, lest a bad slope cost too many. */
const SLOW_STEPS = 2;
/** Headers remembered: enough for the searches of a recorder run, few enough for a linear scan. */
const MAX_KNOWN = 500;

/** Headers read per round of {@link BlockFinder.narrow}: with the chain-id call, one batch of a public provider. */
const WIDE_READS = 39;
/** A round's guesses are from NEAREST · √span (its usual error) to FARTHEST · span away from the interpolated block. */
const NEAREST = 0.4;
const FARTHEST = 0.25;
/** The first guesses assume paces this factor apart, in blocks per usual block; the last one assumes FASTEST. */
const PACE_STEP = 1.15;
const FASTEST = 8;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/**
 * Finds blocks by time. Blocks have no fixed pace (2 s in 2023, about 1 s in 2026) and several may share a second, so a
 * search interpolates. Headers are final and remembered, so a search near an earlier one takes fewer reads.
 */
export class BlockFinder {
  readonly #readHeader: (number: number) => Promise<BlockRef>;
  readonly #known = new Map<number, BlockRef>();

  constructor(readHeader: (number: number) => Promise<BlockRef>) {
    this.#readHeader = readHeader;
  }

  /**
   * The last block at or before `time` (unix seconds), or undefined if the chain is younger. `head` is the latest
   * block. Reads headers one after another, 5 to 7 on a chain like the C-Chain: each is guessed from the nearer end of
   * the interval, with the slope between the last two.
   */
  async find(time: number, head: BlockRef): Promise<BlockRef | undefined> {
    if (time >= head.timestamp) return head;
    let { below, above } = this.#bracket(time, head);
    let secondsPerBlock = slope(below, above) ?? USUAL_SECONDS_PER_BLOCK;
    let last = above;
    let slowSteps = 0;
    while (above.number - below.number > 1) {
      const span = above.number - below.number;
      const near = time - below.timestamp < above.timestamp - time ? below : above;
      const guess =
        slowSteps < SLOW_STEPS
          ? near.number + Math.round((time - near.timestamp) / secondsPerBlock)
          : below.number + Math.floor(span / 2);
      const block = await this.#read(Math.min(Math.max(guess, below.number + 1), above.number - 1));
      secondsPerBlock = slope(block, last) ?? secondsPerBlock;
      last = block;
      if (block.timestamp <= time) below = block;
      else above = block;
      slowSteps = above.number - below.number > span / 2 ? slowSteps + 1 : 0;
    }
    return below === BEFORE_GENESIS ? undefined : below;
  }

  /**
   * For each of these times, all before that of `head`: at most `few` consecutive block numbers, one of which is that
   * of the last block at or before it. If none of them is, the chain is younger. Reads many headers per round, for all
   * times together: 2 rounds on a chain of a thousand blocks, 4 or 5 on one like the C-Chain.
   */
  async narrow(times: readonly number[], head: BlockRef, few: number): Promise<number[][]> {
    for (;;) {
      const brackets = times.map((time) => ({ time, ...this.#bracket(time, head) }));
      const wide = brackets.filter(({ below, above }) => above.number - Math.max(0, below.number) > few);
      if (wide.length === 0)
        return brackets.map(({ below, above }) => numbersFrom(Math.max(0, below.number), above.number));
      const each = Math.max(1, Math.floor(WIDE_READS / wide.length));
      const wanted = wide.flatMap(({ time, below, above }, place) => {
        const numbers =
          below === BEFORE_GENESIS
            ? firstGuesses(time, above, { count: each, place, of: wide.length })
            : guesses(time, below, above, each);
        return numbers.map((number) => Math.min(Math.max(Math.round(number), below.number + 1), above.number - 1));
      });
      await Promise.all([...new Set(wanted)].map((number) => this.#read(number)));
    }
  }

  /** The narrowest interval that known headers put around `time`. */
  #bracket(time: number, head: BlockRef): { below: BlockRef; above: BlockRef } {
    let below = BEFORE_GENESIS;
    let above = head;
    for (const block of this.#known.values()) {
      if (block.timestamp <= time) {
        if (block.number > below.number) below = block;
      } else if (block.number < above.number) above = block;
    }
    return { below, above };
  }

  async #read(number: number): Promise<BlockRef> {
    const block = await this.#readHeader(number);
    this.#known.set(number, block);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return block;
  }
}

/** Seconds per block between two blocks, or undefined if that is not a positive number. */
function slope(a: BlockRef, b: BlockRef): number | undefined {
  const seconds = (b.timestamp - a.timestamp) / (b.number - a.number);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * The first guesses, when only the head is known: at likely paces, or spread over the whole chain if it has fewer
 * blocks than the usual pace implies. Several searches (this is number `place` of `of`) then interleave their guesses.
 */
function firstGuesses(
  time: number,
  head: BlockRef,
  { count, place, of }: { count: number; place: number; of: number },
): number[] {
  const distance = (head.timestamp - time) / USUAL_SECONDS_PER_BLOCK;
  if (distance > head.number) {
    return Array.from({ length: count }, (_, index) => (head.number * (index * of + place + 1)) / (count * of + 1));
  }
  const paces = Array.from({ length: count - 1 }, (_, index) => PACE_STEP ** (index + 1 - count / 2));
  return [...paces, FASTEST].map((pace) => head.number - distance * pace);
}

/**
 * The guesses between two blocks: all of them if they are few, else pairs at growing distances around the interpolated
 * block, and the middle, so that a round is never worse than a step of a bisection.
 */
function guesses(time: number, below: BlockRef, above: BlockRef, count: number): number[] {
  const span = above.number - below.number;
  if (span - 1 <= count) return numbersFrom(below.number + 1, above.number);
  const likely = below.number + ((time - below.timestamp) / (above.timestamp - below.timestamp)) * span;
  const nearest = Math.max(1, NEAREST * Math.sqrt(span));
  const farther = (FARTHEST * span) / nearest;
  const pairs = Math.floor((count - 1) / 2);
  const distances = Array.from({ length: pairs }, (_, index) => nearest * farther ** (index / Math.max(1, pairs - 1)));
  const middle = below.number + span / 2;
  return [middle, ...distances.flatMap((distance) => [likely - distance, likely + distance])];
}

/** The integers from `first` up to, but not including, `end`. */
function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
