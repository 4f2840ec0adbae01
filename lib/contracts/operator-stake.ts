import { isError } from 'ethers';
import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';

/** What one address has staked, without reading all stakers. */

export const OPERATOR_STAKE_ABI = [
  'function getGGPStake(address stakerAddr) view returns (uint256)',
  'function getGGPRewards(address stakerAddr) view returns (uint256)',
  'function getAVAXAssigned(address stakerAddr) view returns (uint256)',
  'function getAVAXStake(address stakerAddr) view returns (uint256)',
  'function withdrawGGP(uint256 amount)',
  'error GGPLocked()',
] as const;

/** Amounts in wei. */
export interface OperatorStake {
  ggpStaked: bigint;
  /** GGP that was distributed and not claimed. */
  ggpRewards: bigint;
  avaxAssigned: bigint;
  /** The operator's own AVAX in minipools, until it is withdrawn. */
  avaxStaked: bigint;
  /** Whether the stake cannot be withdrawn yet, whatever it backs; undefined if the provider does not run calls of others. */
  isLocked: boolean | undefined;
}

/** The stake of an address, or undefined if it has never staked: then `getGGPStake` reverts. */
export async function readOperatorStake(
  { runner, addresses }: ProtocolState,
  staker: string,
): Promise<OperatorStake | undefined> {
  const staking = new Contract(addresses.Staking, OPERATOR_STAKE_ABI, runner);
  const [ggpStaked, ggpRewards, avaxAssigned, avaxStaked, isLocked] = await Promise.all([
    ifAnswered(staking.getGGPStake(staker)),
    ifAnswered(staking.getGGPRewards(staker)),
    ifAnswered(staking.getAVAXAssigned(staker)),
    ifAnswered(staking.getAVAXStake(staker)),
    refusesAsLocked(staking.withdrawGGP.staticCall(1n, { from: staker })),
  ]);
  if (ggpStaked === undefined || ggpRewards === undefined) return undefined;
  if (avaxAssigned === undefined || avaxStaked === undefined) return undefined;
  return { ggpStaked, ggpRewards, avaxAssigned, avaxStaked, isLocked };
}

/** Runs a withdrawal of 1 wei, without effect: the lock is checked before the collateral. */
async function refusesAsLocked(withdrawal: Promise<unknown>): Promise<boolean | undefined> {
  try {
    await withdrawal;
    return false;
  } catch (error) {
    return isError(error, 'CALL_EXCEPTION') ? error.revert?.name === 'GGPLocked' : undefined;
  }
}
