/** The blocks that an answer of the ledger is made from, and the block up to which they are confirmed. */

import type { BlockRef } from '../values/block.ts';

/**
 * The most entries read of one holder: with them, an answer takes less than three seconds (docs/costs.md). People have a
 * few; a market may have many.
 */
export const MOST_ENTRIES = 50_000;

/** Most seconds by which a ledger's confirmed blocks may end before the indexed ones if it is to count as complete. */
export const TOLERATED_LAG_SECONDS = 3_600;

/** The indexed blocks, without a gap. */
export interface Coverage {
  fromBlock: number;
  toBlock: number;
  /** Time of `toBlock`, unix seconds. */
  toTimestamp: number;
  /**
   * The last block up to which every event since the protocol's first block is indexed and confirmed. Undefined while
   * older blocks are still to be indexed.
   */
  confirmed?: BlockRef | undefined;
  /** Number of providers that agreed on these blocks: 1 or 2. */
  sources: number;
  /** True if all but the last {@link TOLERATED_LAG_SECONDS} at most is confirmed, and no entry is left out. */
  complete: boolean;
  /** True if later entries are left out because there are more than {@link MOST_ENTRIES}. */
  isCut?: boolean;
}

/** The confirmed part of a coverage. Undefined while there is none. */
export function confirmedPart(coverage: Coverage): Coverage | undefined {
  return coverage.confirmed && coverageAt(coverage.confirmed, coverage);
}

/** Returns the items in confirmed blocks, and the coverage of these blocks. */
export function confirmedOf<Placed extends { block: number }>(all: readonly Placed[], coverage: Coverage) {
  const part = confirmedPart(coverage);
  return { confirmed: part ? all.filter(({ block }) => block <= part.toBlock) : [], coverage: part ?? coverage };
}

/** The coverage of an answer that excludes everything after a block. */
export function coverageAt(block: BlockRef, coverage: Coverage): Coverage {
  const { confirmed } = coverage;
  if (coverage.toBlock <= block.number) return coverage;
  return {
    ...coverage,
    ...{ toBlock: block.number, toTimestamp: block.timestamp },
    confirmed: confirmed && (confirmed.number < block.number ? confirmed : block),
  };
}

/** The coverage of entries that are cut after a block because there are too many of them. */
export function cutAt(block: BlockRef, coverage: Coverage): Coverage {
  const isConfirmedBefore = coverage.confirmed !== undefined && coverage.confirmed.number <= block.number;
  return isConfirmedBefore ? coverage : { ...coverageAt(block, coverage), complete: false, isCut: true };
}
