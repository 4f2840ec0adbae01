/** The blocks that a ledger's answer is made from, and up to where they are confirmed. */

import type { BlockRef } from '../values/block.ts';

/**
 * The most entries read of one holder: with them, an answer takes less than three seconds (docs/costs.md). People have a
 * few; a market may have many.
 */
export const MOST_ENTRIES = 50_000;

/** How far the confirmed blocks may end before the indexed ones while the ledger still counts as complete, seconds. */
export const TOLERATED_LAG_SECONDS = 3_600;

/** The indexed blocks, without a gap. */
export interface Coverage {
  fromBlock: number;
  toBlock: number;
  /** Of `toBlock`, unix seconds. */
  toTimestamp: number;
  /** Every event from the protocol's first block to this one is known and confirmed. Undefined while older blocks are to be indexed. */
  confirmed?: BlockRef | undefined;
  /** How many providers agreed on these blocks: 1 or 2. */
  sources: number;
  /** Whether everything is confirmed, but for the last {@link TOLERATED_LAG_SECONDS} at most, and no entry is left out. */
  complete: boolean;
  /** Later entries are left out, because they are more than {@link MOST_ENTRIES}. */
  isCut?: boolean;
}

/** The confirmed part of a coverage. Undefined while there is none. */
export function confirmedPart(coverage: Coverage): Coverage | undefined {
  return coverage.confirmed && coverageAt(coverage.confirmed, coverage);
}

/** What is in confirmed blocks, and which blocks those are. */
export function confirmedOf<Placed extends { block: number }>(all: readonly Placed[], coverage: Coverage) {
  const part = confirmedPart(coverage);
  return { confirmed: part ? all.filter(({ block }) => block <= part.toBlock) : [], coverage: part ?? coverage };
}

/** The coverage of an answer that excludes what is later than a block. */
export function coverageAt(block: BlockRef, coverage: Coverage): Coverage {
  const { confirmed } = coverage;
  if (coverage.toBlock < block.number) return coverage;
  return {
    ...coverage,
    ...{ toBlock: block.number, toTimestamp: block.timestamp },
    confirmed: confirmed && (confirmed.number < block.number ? confirmed : block),
  };
}

/** The coverage of entries of which all later than a block are left out, because they are too many. */
export function cutAt(block: BlockRef, coverage: Coverage): Coverage {
  const isConfirmedBefore = coverage.confirmed !== undefined && coverage.confirmed.number <= block.number;
  return isConfirmedBefore ? coverage : { ...coverageAt(block, coverage), complete: false, isCut: true };
}
