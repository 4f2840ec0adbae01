import type { BlockRef } from '../block.ts';

/** What a block takes since late 2025. Only the first guess of the first search uses it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** After this many steps that did not halve the interval one is a plain bisection, so a bad slope costs at most log2. */
const SLOW_STEPS = 2;
/** Headers kept: enough for the searches of a recorder run, little enough to look through. */
const MAX_KNOWN = 500;

/** Headers of a round of a wide search: with the proof of the chain's id they fit one batch of a public endpoint. */
const WIDE_READS = 39;
/** How far a round looks, beside what the pace of an interval makes likely: from about its usual error to a quarter of it. */
const NEAREST = 0.4;
const FARTHEST = 0.25;
/** Between two first guesses at the distance from the head, and how many times the usual pace is the last of them. */
const PACE_STEP = 1.15;
const FASTEST = 8;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/**
 * Finds blocks by time. Blocks have no fixed pace (2 s in 2023, about 1 s in 2026) and several may share a second, so a search
 * interpolates. Headers never change and are remembered, so it takes fewer reads near a block that was found before.
 */
export class BlockFinder {
  readonly #readHeader: (number: number) => Promise<BlockRef>;
  readonly #known = new Map<number, BlockRef>();

  constructor(readHeader: (number: number) => Promise<BlockRef>) {
    this.#readHeader = readHeader;
  }

  /**
   * The last block at or before `time` (unix seconds), or undefined if the chain is younger. `head` is the latest block. Reads one
   * header after the other, 5 to 7 on a chain like the C-Chain: guessed from the nearer end of the interval, with the slope of the
   * last two.
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
   * For each of these times, numbers of at most `few` blocks in a row, one of which is the last block at or before it; if none of
   * them is, the chain is younger. Reads many headers a round, for all times together: 2 rounds on a chain of a thousand blocks, 4 or
   * 5 on one like the C-Chain.
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

/** Seconds per block between two blocks, or undefined if that says nothing. */
function slope(a: BlockRef, b: BlockRef): number | undefined {
  const seconds = (b.timestamp - a.timestamp) / (b.number - a.number);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * Where to look when only the head is known: at likely paces of the chain, or all over it if it is far slower than those. There the
 * searches, of which this is the one at a place, look between each other.
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
 * Where to look between two blocks: everywhere if that is not too much, else on both sides of where the pace between them leads,
 * near and far, and in the middle, so that a round is never worse than a step of a bisection.
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

/** From `first` on, without `end`. */
function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
