/** The blocks that an answer of the ledger is made from. */

import type { Network } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';
import type { Blocks } from './ledger-state.ts';

/**
 * The most entries read of one holder: with them, an answer takes less than three seconds (docs/costs.md). People have a
 * few; a market may have many.
 */
export const MOST_ENTRIES = 50_000;

/** Number of newest blocks of a network that are not indexed yet: about 70 seconds on a public one. */
export function lagOf({ name }: Pick<Network, 'name'>): number {
  return name === 'devnet' ? 0 : 64;
}

/** The covered blocks, without a gap. They are final: nothing in them ever changes. */
export interface Coverage {
  fromBlock: number;
  toBlock: number;
  /** Time of `toBlock`, unix seconds. */
  toTimestamp: number;
  /** The least number of providers on which a part of these blocks rests: 1 or 2. */
  sources: number;
  /** True if they reach back to the protocol's first block, and no entry is left out. */
  complete: boolean;
  /** True if later entries are left out because there are more than {@link MOST_ENTRIES}. */
  isCut?: boolean;
}

export function coverageAt(block: BlockRef, coverage: Coverage): Coverage {
  if (coverage.toBlock <= block.number) return coverage;
  return { ...coverage, toBlock: block.number, toTimestamp: block.timestamp };
}

/** The blocks that a coverage includes. */
export function blocksOf({ fromBlock, toBlock }: Coverage): Blocks {
  return { from: fromBlock, to: toBlock };
}
