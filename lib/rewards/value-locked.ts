import { mulWad } from '../values/wad.ts';

type Part = 'totalAssets' | 'avaxStaked' | 'avaxNodeOpRewards' | 'totalAllocatedFunds' | 'totalGGPStake';

/**
 * AVAX wei locked in the protocol, without double counting: assets of the pool (those out with minipools and delegations
 * included), operators' own AVAX and their rewards not yet withdrawn, AVAX set aside for withdrawals, which has left the
 * pool, and GGP at the oracle's price (AVAX wei for one GGP). Undefined if a part is unknown, such as the value of the
 * staked GGP: a sum without that part would look like a loss.
 */
export function valueLocked(holdings: Record<Part | 'ggpPriceInAVAX', bigint | undefined>): bigint | undefined {
  const { totalAssets, avaxStaked, avaxNodeOpRewards, totalAllocatedFunds = 0n, totalGGPStake } = holdings;
  // Without GGP, its price does not matter.
  const price = totalGGPStake === 0n ? 0n : holdings.ggpPriceInAVAX;
  if (totalAssets === undefined || avaxStaked === undefined || avaxNodeOpRewards === undefined) return undefined;
  if (totalGGPStake === undefined || price === undefined) return undefined;
  return totalAssets + avaxStaked + avaxNodeOpRewards + totalAllocatedFunds + mulWad(totalGGPStake, price);
}
