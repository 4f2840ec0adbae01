import { divWad, mulWad, sum } from '../values/wad.ts';
import { type CollateralTerms, effectiveGGPStaked, type StakerCollateral } from './collateral.ts';

interface StakerEligibility {
  /** Unix seconds at which the operator registered for rewards; 0 when they are not registered. */
  readonly rewardsStartTime: number;
  readonly avaxValidatingHighWater: bigint;
}

/**
 * True if the staker takes part in a distribution at `time` (unix seconds), even under 10 % collateral. Source:
 * `ClaimNodeOp.isEligible`. False, where the contract reverts, if the start lies after `time`.
 */
export function isEligible(staker: StakerEligibility, time: number, rewardsEligibilityMinSeconds: number): boolean {
  const from = eligibleAt(staker, rewardsEligibilityMinSeconds);
  return from !== undefined && time >= from;
}

/** Unix seconds from which `isEligible` is true. Undefined if not registered, or no AVAX has validated yet. */
export function eligibleAt(staker: StakerEligibility, rewardsEligibilityMinSeconds: number): number | undefined {
  if (staker.rewardsStartTime === 0 || staker.avaxValidatingHighWater === 0n) return undefined;
  return staker.rewardsStartTime + rewardsEligibilityMinSeconds;
}

/**
 * Effective GGP (wei) of all stakers who are eligible at `time` (unix seconds): the denominator that the multisig passes to
 * `ClaimNodeOp.calculateAndDistributeRewards`.
 * @throws RangeError when the price is 0 (InvalidGGPPrice) and anyone is eligible.
 */
export function totalEffectiveGGPStaked(
  stakers: readonly (StakerCollateral & StakerEligibility)[],
  time: number,
  rewardsEligibilityMinSeconds: number,
  terms: CollateralTerms,
): bigint {
  const eligible = stakers.filter((staker) => isEligible(staker, time, rewardsEligibilityMinSeconds));
  return sum(eligible.map((staker) => effectiveGGPStaked(staker, terms)));
}

/**
 * The staker's part of the pool (1e18 = 100 %). Source: `ClaimNodeOp.calculateAndDistributeRewards`, but 0 of 0 is 0.
 * @throws RangeError when the total is 0 although the staker has effective GGP.
 */
export function rewardShare(effectiveGGP: bigint, totalEligibleGGPStaked: bigint): bigint {
  return effectiveGGP === 0n ? 0n : divWad(effectiveGGP, totalEligibleGGPStaked);
}

/**
 * GGP wei credited to one staker from a cycle's pool (wei). Source: `ClaimNodeOp.calculateAndDistributeRewards`.
 * @throws RangeError when the total does not contain the staker, so that the reward exceeds the pool (InvalidAmount).
 */
export function nodeOpReward(effectiveGGP: bigint, totalEligibleGGPStaked: bigint, rewardsCycleTotal: bigint): bigint {
  const reward = mulWad(rewardShare(effectiveGGP, totalEligibleGGPStaked), rewardsCycleTotal);
  if (reward > rewardsCycleTotal) throw new RangeError('InvalidAmount: the reward exceeds the pool of the cycle');
  return reward;
}
