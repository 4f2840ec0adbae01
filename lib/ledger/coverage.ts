import type { Network } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';

/**
 * Number of newest blocks of a network that are not indexed yet. What Avalanche has accepted is final, so this only covers how far
 * the nodes of a provider are apart: pruning ones keep the states of just 32 blocks.
 */
export function lagOf({ name }: Pick<Network, 'name'>): number {
  return name === 'devnet' ? 0 : 2;
}

/** The covered blocks, without a gap. They are final: nothing in them ever changes. */
export interface Coverage {
  fromBlock: number;
  toBlock: number;
  /** Time of `toBlock`, unix seconds. */
  toTimestamp: number;
  /** The least number of providers on which a part of these blocks rests: 1 or 2. */
  sources: number;
  /** True if they reach back to the protocol's first block. */
  complete: boolean;
  /** Generation of the rows with the entries of these blocks. */
  generation: number;
}

export function coverageAt(block: BlockRef, coverage: Coverage): Coverage {
  if (coverage.toBlock <= block.number) return coverage;
  return { ...coverage, toBlock: block.number, toTimestamp: block.timestamp };
}
