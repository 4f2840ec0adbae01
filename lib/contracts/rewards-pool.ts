import { answered, ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';

export const REWARDS_POOL_ABI = [
  'function getRewardsCycleCount() view returns (uint256)',
  'function getRewardsCycleStartTime() view returns (uint256)',
  'function getRewardsCycleTotalAmt() view returns (uint256)',
  'function getInflationIntervalStartTime() view returns (uint256)',
] as const;

const CLAIM_NODE_OP_ABI = ['function getRewardsCycleTotal() view returns (uint256)'] as const;

export const GGP_ABI = ['function totalSupply() view returns (uint256)'] as const;

/** The GGP rewards cycle (its number, start in unix seconds, and GGP wei paid at its start) and the inflation clock. */
export function readRewardsPool({ runner, addresses }: ProtocolState) {
  const rewardsPool = contractAt(addresses.RewardsPool, REWARDS_POOL_ABI, runner);
  return answered({
    rewardsCycleCount: rewardsPool.getRewardsCycleCount(),
    rewardsCycleStartTime: rewardsPool.getRewardsCycleStartTime(),
    rewardsCycleTotalAmt: rewardsPool.getRewardsCycleTotalAmt(),
    inflationIntervalStartTime: rewardsPool.getInflationIntervalStartTime(),
  });
}

/** GGP wei of the current cycle for all node operators, or undefined before ClaimNodeOp existed. */
export function readNodeOpCycleTotal({ runner, addresses }: ProtocolState): Promise<bigint | undefined> {
  return ifAnswered(contractAt(addresses.ClaimNodeOp, CLAIM_NODE_OP_ABI, runner).getRewardsCycleTotal());
}

/** GGP wei in existence, or undefined before the token existed. */
export function readGGPSupply({ runner, addresses }: ProtocolState): Promise<bigint | undefined> {
  return ifAnswered(contractAt(addresses.TokenGGP, GGP_ABI, runner).totalSupply());
}
