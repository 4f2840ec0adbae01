import { mulWad } from '../values/wad.ts';

/** What the protocol holds, in wei. */
export interface Holdings {
  /** The pool's, including what is out with minipools and delegations. */
  totalAssets: bigint | undefined;
  /** Operators' own AVAX. */
  avaxStaked: bigint | undefined;
  /** Operators' rewards not yet withdrawn. */
  avaxNodeOpRewards: bigint | undefined;
  /** Set aside for withdrawals, no longer in the pool. */
  totalAllocatedFunds: bigint | undefined;
  totalGGPStake: bigint | undefined;
  /** The oracle's. */
  ggpPriceInAVAX: bigint | undefined;
}

/**
 * AVAX wei locked in the protocol, nothing counted twice. Undefined if a part of it is not known, such as what
 * the staked GGP is worth: a sum without it would look like a loss.
 */
export function valueLocked(holdings: Holdings): bigint | undefined {
  const { totalAssets, avaxStaked, avaxNodeOpRewards, totalAllocatedFunds = 0n, totalGGPStake } = holdings;
  // Without GGP, its price does not matter.
  const price = totalGGPStake === 0n ? 0n : holdings.ggpPriceInAVAX;
  if (totalAssets === undefined || avaxStaked === undefined || avaxNodeOpRewards === undefined) return undefined;
  if (totalGGPStake === undefined || price === undefined) return undefined;
  return totalAssets + avaxStaked + avaxNodeOpRewards + totalAllocatedFunds + mulWad(totalGGPStake, price);
}
