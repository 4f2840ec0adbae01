import { answered, ifAnswered } from '../chain/answered.ts';
import type { View } from '../chain/chain.ts';
import { contractOf } from '../chain/contract.ts';

export const rewardsPoolAt = contractOf([
  'function getRewardsCycleCount() view returns (uint256)',
  'function getRewardsCycleStartTime() view returns (uint256)',
  'function getRewardsCycleTotalAmt() view returns (uint256)',
  'function getInflationIntervalStartTime() view returns (uint256)',
]);

export const claimNodeOpAt = contractOf(['function getRewardsCycleTotal() view returns (uint256)']);

export const ggpAt = contractOf(['function totalSupply() view returns (uint256)']);

/** The GGP rewards cycle (its number, start in unix seconds, and GGP wei paid at its start) and the inflation clock. */
export function readRewardsPool({ runner, addresses }: View) {
  const rewardsPool = rewardsPoolAt(runner, addresses.RewardsPool);
  return answered({
    getRewardsCycleCount: rewardsPool.getRewardsCycleCount(),
    getRewardsCycleStartTime: rewardsPool.getRewardsCycleStartTime(),
    getRewardsCycleTotalAmt: rewardsPool.getRewardsCycleTotalAmt(),
    getInflationIntervalStartTime: rewardsPool.getInflationIntervalStartTime(),
  });
}

/** GGP wei of the current cycle for all node operators, or undefined before there was a contract for that. */
export function readNodeOpCycleTotal({ runner, addresses }: View): Promise<bigint | undefined> {
  return ifAnswered(claimNodeOpAt(runner, addresses.ClaimNodeOp).getRewardsCycleTotal());
}

/** GGP wei in existence, or undefined before there was a token. */
export function readGGPSupply({ runner, addresses }: View): Promise<bigint | undefined> {
  return ifAnswered(ggpAt(runner, addresses.TokenGGP).totalSupply());
}
