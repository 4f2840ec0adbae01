import { mulWad } from '../values/wad.ts';

/** Holdings of the protocol, in wei. */
export interface Holdings {
  /** AVAX of the pool, including AVAX that is out with minipools and delegations. */
  totalAssets: bigint | undefined;
  /** Operators' own AVAX. */
  avaxStaked: bigint | undefined;
  /** Operators' rewards not yet withdrawn. */
  avaxNodeOpRewards: bigint | undefined;
  /** AVAX set aside for withdrawals. It is no longer in the pool. */
  totalAllocatedFunds: bigint | undefined;
  totalGGPStake: bigint | undefined;
  /** The oracle's price: AVAX wei for one GGP. */
  ggpPriceInAVAX: bigint | undefined;
}

/**
 * AVAX wei locked in the protocol, without double counting. Undefined if a part is unknown, such as the value of the staked
 * GGP: a sum without that part would look like a loss.
 */
export function valueLocked(holdings: Holdings): bigint | undefined {
  const { totalAssets, avaxStaked, avaxNodeOpRewards, totalAllocatedFunds = 0n, totalGGPStake } = holdings;
  // Without GGP, its price does not matter.
  const price = totalGGPStake === 0n ? 0n : holdings.ggpPriceInAVAX;
  if (totalAssets === undefined || avaxStaked === undefined || avaxNodeOpRewards === undefined) return undefined;
  if (totalGGPStake === undefined || price === undefined) return undefined;
  return totalAssets + avaxStaked + avaxNodeOpRewards + totalAllocatedFunds + mulWad(totalGGPStake, price);
}
