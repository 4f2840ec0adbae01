import type { BlockRef } from './rpc.ts';

/** What a block takes since late 2025. Only the first guess of the first search uses it. */
const USUAL_SECONDS_PER_BLOCK = 1;
/** After this many steps that did not halve the interval one is a plain bisection, so a bad slope costs at most log2. */
const SLOW_STEPS = 2;
/** Headers kept: enough for the searches of a recorder run, little enough to look through. */
const MAX_KNOWN = 500;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/**
 * Finds blocks by time. Blocks have no fixed pace (2 s in 2023, about 1 s in 2026) and several may share a second, so the search
 * interpolates: from the nearer end of the interval, with the slope of the last two reads. That takes 5 to 7 reads on a chain
 * like the C-Chain, and fewer near a block that was found before, because headers never change and are remembered.
 */
export class BlockFinder {
  readonly #readHeader: (number: number) => Promise<BlockRef>;
  readonly #known = new Map<number, BlockRef>();

  constructor(readHeader: (number: number) => Promise<BlockRef>) {
    this.#readHeader = readHeader;
  }

  /** The last block at or before `time` (unix seconds), or undefined if the chain is younger. `head` is the latest block. */
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

/** Seconds per block between two blocks, or undefined if that says nothing. */
function slope(a: BlockRef, b: BlockRef): number | undefined {
  const seconds = (b.timestamp - a.timestamp) / (b.number - a.number);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
