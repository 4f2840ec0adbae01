/** What one address has staked, without reading all stakers. */

import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';
import { readNodeOpCycleTotal } from './rewards-pool.ts';

const OPERATOR_STAKE_ABI = [
  'function getGGPStake(address stakerAddr) view returns (uint256)',
  'function getGGPRewards(address stakerAddr) view returns (uint256)',
  'function getAVAXAssigned(address stakerAddr) view returns (uint256)',
  'function getAVAXStake(address stakerAddr) view returns (uint256)',
] as const;

/** Amounts in wei. */
export interface OperatorStake {
  ggpStaked: bigint;
  /** GGP that was distributed and not claimed. */
  ggpRewards: bigint;
  avaxAssigned: bigint;
  /** The operator's own AVAX in minipools, until it is withdrawn. */
  avaxStaked: bigint;
  /** Whether there is a contract that pays rewards. */
  canClaim: boolean;
}

/** The stake of an address, or undefined if it has never staked: then `getGGPStake` reverts. */
export async function readOperatorStake(state: ProtocolState, staker: string): Promise<OperatorStake | undefined> {
  const staking = new Contract(state.addresses.Staking, OPERATOR_STAKE_ABI, state.runner);
  const [ggpStaked, ggpRewards, avaxAssigned, avaxStaked, paid] = await Promise.all([
    ifAnswered(staking.getGGPStake(staker)),
    ifAnswered(staking.getGGPRewards(staker)),
    ifAnswered(staking.getAVAXAssigned(staker)),
    ifAnswered(staking.getAVAXStake(staker)),
    readNodeOpCycleTotal(state),
  ]);
  if (ggpStaked === undefined || ggpRewards === undefined) return undefined;
  if (avaxAssigned === undefined || avaxStaked === undefined) return undefined;
  return { ggpStaked, ggpRewards, avaxAssigned, avaxStaked, canClaim: paid !== undefined };
}
