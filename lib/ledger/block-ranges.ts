/** Sets of blocks, as ranges in order that neither overlap nor touch. */

import type { BlockRef } from '../values/block.ts';

/** A range of blocks, both ends included. */
export interface Blocks {
  from: number;
  to: number;
}

/** Blocks that do not count as confirmed. `before` is the last block before them. */
export interface Unconfirmed extends Blocks {
  before: BlockRef;
}

/** The ranges with another one. */
export function joinBlocks(ranges: readonly Unconfirmed[], added: Unconfirmed): Unconfirmed[] {
  const isApart = ({ from, to }: Blocks) => to + 1 < added.from || added.to + 1 < from;
  const touching = [...ranges.filter((range) => !isApart(range)), added];
  const first = touching.reduce((one, other) => (other.from < one.from ? other : one));
  const joined = { ...first, to: Math.max(...touching.map(({ to }) => to)) };
  return [...ranges.filter(isApart), joined].sort((a, b) => a.from - b.from);
}

/** Removes blocks from the ranges. `end` is the last of these blocks. */
export function cutBlocks(ranges: readonly Unconfirmed[], { from, to }: Blocks, end: BlockRef): Unconfirmed[] {
  return ranges.flatMap((range) => {
    if (range.to < from || to < range.from) return range;
    return [
      ...(range.from < from ? [{ ...range, to: from - 1 }] : []),
      ...(to < range.to ? [{ from: to + 1, to: range.to, before: end }] : []),
    ];
  });
}
