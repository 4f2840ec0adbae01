/** GGP: its rewards pool, supply and price, and the Vault that holds it. */

import { isRegistered, type ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered, readViews } from '../chain/contract.ts';

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
  return readViews(addresses.RewardsPool, REWARDS_POOL_ABI, runner);
}

/** GGP wei of the current cycle for all node operators, or undefined before ClaimNodeOp existed. */
export function readNodeOpCycleTotal({ runner, addresses }: ProtocolState): Promise<bigint | undefined> {
  return ifAnswered(contractAt(addresses.ClaimNodeOp, CLAIM_NODE_OP_ABI, runner).getRewardsCycleTotal());
}

/** GGP wei in existence, or undefined before the token existed. */
export function readGGPSupply({ runner, addresses }: ProtocolState): Promise<bigint | undefined> {
  return ifAnswered(contractAt(addresses.TokenGGP, GGP_ABI, runner).totalSupply());
}

export const ORACLE_ABI = ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'] as const;

/**
 * The GGP price that the protocol's own contracts use, AVAX wei for one whole GGP, and the time at which it was pushed, unix
 * seconds: it may be days old. Undefined if none was ever pushed (the contract reverts InvalidGGPPrice).
 */
export async function readOraclePrice({ runner, addresses }: ProtocolState) {
  const answer = await ifAnswered(contractAt(addresses.Oracle, ORACLE_ABI, runner).getGGPPriceInAVAX());
  return answer && { ggpPriceInAVAX: answer[0], updatedAt: Number(answer[1]) };
}

export const VAULT_ABI = [
  'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
] as const;

/**
 * GGP wei that the Vault holds for a contract; for Staking, what all stakers have staked (`Staking.getTotalGGPStake`).
 * Undefined if no token is registered: the Vault answers 0 then.
 */
export async function readVaultGGP(
  { runner, addresses }: ProtocolState,
  contract: 'Staking' | 'ClaimNodeOp',
): Promise<bigint | undefined> {
  if (!isRegistered({ addresses }, 'TokenGGP')) return undefined;
  return ifAnswered(contractAt(addresses.Vault, VAULT_ABI, runner).balanceOfToken(contract, addresses.TokenGGP));
}
