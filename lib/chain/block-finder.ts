import type { BlockRef } from '../values/block.ts';

/** Block time since late 2025. Only first guesses use it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** After this many steps in a row that did not halve the interval, one step bisects, lest a bad slope cost too many. */
const SLOW_STEPS = 2;
/** Headers remembered: enough for the searches of a recorder run, few enough for a linear scan. */
const MAX_KNOWN = 500;

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
   * the interval, with the slope between the last two. With `atOnce`, it reads that many around each guess, in one
   * request, and so makes 2 to 4 requests instead.
   */
  async find(time: number, head: BlockRef, atOnce: number): Promise<BlockRef | undefined> {
    if (time >= head.timestamp) return head;
    let { below, above } = this.#bracket(time, BEFORE_GENESIS, head);
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
      const blocks = await Promise.all(
        numbersAround(guess, { below, above }, atOnce).map((number) => this.#read(number)),
      );
      const [block] = blocks as [BlockRef];
      secondsPerBlock = slope(block, last) ?? secondsPerBlock;
      last = block;
      // Searches that run at the same time read headers, too.
      ({ below, above } = this.#bracket(time, below, above));
      slowSteps = above.number - below.number > span / 2 ? slowSteps + 1 : 0;
    }
    return below === BEFORE_GENESIS ? undefined : below;
  }

  /** The narrowest interval around `time`, given this one, that known headers tell. */
  #bracket(time: number, below: BlockRef, above: BlockRef): { below: BlockRef; above: BlockRef } {
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
 * Up to `count` numbers between two blocks: the guess, and others on both sides of it at growing distances, because it
 * may be far off. If it is not between them at all, the middle takes its place.
 */
function numbersAround(guess: number, { below, above }: { below: BlockRef; above: BlockRef }, count: number): number[] {
  const [first, last] = [below.number + 1, above.number - 1];
  const span = last - first + 1;
  if (span <= count) return Array.from({ length: span }, (_, index) => first + index);
  const within = (number: number) => Math.min(Math.max(number, first), last);
  if (count === 1) return [within(guess)];
  const centre = within(guess) === guess ? guess : first + Math.floor(span / 2);
  const pairs = Math.floor((count - 1) / 2);
  const distances = Array.from({ length: pairs }, (_, index) => Math.round((span / 2) ** ((index + 1) / pairs)));
  return [...new Set([centre, ...distances.flatMap((by) => [centre - by, centre + by])].map(within))];
}
