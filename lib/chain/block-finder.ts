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
