import type { BlockRef } from './rpc.ts';

/** Reads a block's header. */
export type ReadBlock = (number: number) => Promise<BlockRef>;

/** Where a search begins: about what a block takes since late 2025. It is only a guess; the second read corrects it. */
const FIRST_SECONDS_PER_BLOCK = 1;
/** After this many steps that did not halve the interval, one is a plain bisection: a bad slope cannot cost more than log2. */
const SLOW_STEPS = 2;

const BEFORE_GENESIS: BlockRef = { number: -1, timestamp: Number.NEGATIVE_INFINITY };

/**
 * The last block at or before `time` (unix seconds), or undefined if the chain is younger. Blocks have no fixed pace (2 s in
 * 2023, about 1 s in 2026) and several may share a second, so it is found by interpolation: from the nearer end of the
 * interval, with the slope of the last two reads. Typically 5 to 7 reads on the whole of the C-Chain.
 */
export async function findBlockAt(time: number, head: BlockRef, readBlock: ReadBlock): Promise<BlockRef | undefined> {
  if (time >= head.timestamp) return head;
  let below = BEFORE_GENESIS;
  let above = head;
  let last = head;
  let secondsPerBlock = FIRST_SECONDS_PER_BLOCK;
  let slowSteps = 0;
  while (above.number - below.number > 1) {
    const span = above.number - below.number;
    const near = time - below.timestamp < above.timestamp - time ? below : above;
    const guess =
      slowSteps < SLOW_STEPS
        ? near.number + Math.round((time - near.timestamp) / secondsPerBlock)
        : below.number + Math.floor(span / 2);
    const block = await readBlock(Math.min(Math.max(guess, below.number + 1), above.number - 1));
    if (block.timestamp !== last.timestamp) {
      secondsPerBlock = (block.timestamp - last.timestamp) / (block.number - last.number);
    }
    last = block;
    if (block.timestamp <= time) below = block;
    else above = block;
    slowSteps = above.number - below.number > span / 2 ? slowSteps + 1 : 0;
  }
  return below === BEFORE_GENESIS ? undefined : below;
}
