/**
 * `lib/api/bodies`: schemas of bodies that several endpoints share, each with the function that makes the body from the
 * data read. Nothing here reads a chain or a table. Used by `functions/` and the rest of `lib/api`.
 */

import type { Staker } from '../../contracts/staking.ts';
import type { StakerFigures } from '../../protocol/staker-figures.ts';
import { fields } from '../fields.ts';
import { address, avax, flag, ggp, integer, percent, unixTime } from '../units.ts';

export interface StakerSource {
  staker: Staker;
  figures: StakerFigures;
}

/** The fields about distributions in a staker's record, here and in `/rewards/{address}`. */
export const ofDistributions = {
  ggpRewards: ggp(
    'Rewards distributed but not yet claimed.',
    ({ staker }: Pick<StakerSource, 'staker'>) => staker.ggpRewards,
  ),
  lastRewardsCycleCompleted: integer(
    'Number of the last rewards cycle distributed to the staker; 0 if there is none.',
    ({ staker }: Pick<StakerSource, 'staker'>) => staker.lastRewardsCycleCompleted,
  ),
  rewardsStartTime: unixTime(
    'When the staker registered for rewards by creating a minipool; 0 if not registered.',
    ({ staker }: Pick<StakerSource, 'staker'>) => staker.rewardsStartTime,
  ),
};

/** The fields of a staker in responses, alone or in a list. */
export const STAKER = fields<StakerSource>()({
  index: integer("Zero-based position in the contract's list. It never changes.", ({ staker }) => staker.index),
  stakerAddr: address('Address of the staker.', ({ staker }) => staker.stakerAddr),
  ggpStaked: ggp('GGP staked now; 0 if everything has been withdrawn.', ({ staker }) => staker.ggpStaked),
  avaxStaked: avax(
    "The staker's own AVAX in minipools, from creation until it is withdrawn: `prelaunch`, `launched`, `staking`, `withdrawable`, and `error`.",
    ({ staker }) => staker.avaxStaked,
  ),
  avaxAssigned: avax(
    "Liquid stakers' AVAX matched to the staker's minipools, from creation to the end of staking: `prelaunch`, `launched`, and `staking`.",
    ({ staker }) => staker.avaxAssigned,
  ),
  avaxValidating: avax(
    "Liquid stakers' AVAX in the staker's `staking` minipools.",
    ({ staker }) => staker.avaxValidating,
  ),
  avaxValidatingHighWater: avax(
    "Highest `avaxValidating` since the staker's last rewards distribution.",
    ({ staker }) => staker.avaxValidatingHighWater,
  ),
  collateralPercent: percent.optional(
    'Value of `ggpStaked` as a share of `avaxAssigned` (`getCollateralizationRatio`). Omitted when nothing is assigned, because the ratio is then infinite.',
    ({ figures }) => figures.collateralizationRatio,
  ),
  effectiveRewardsPercent: percent.optional(
    "Value of `ggpStaked` as a share of `avaxValidatingHighWater`, as it counts for rewards (`getEffectiveRewardsRatio`): 0 if `avaxValidatingHighWater` is 0 or `collateralPercent` is below 10, and at most the DAO's maximum.",
    ({ figures }) => figures.effectiveRewardsRatio,
  ),
  effectiveGGPStaked: ggp.optional(
    'GGP that counts in a rewards distribution (`getEffectiveGGPStaked`). Can be some wei below `ggpStaked`, because the contract converts it to AVAX and back.',
    ({ figures }) => figures.effectiveGGPStaked,
  ),
  minimumGGPStake: ggp.optional(
    'Minimum GGP stake for `avaxAssigned` (`getMinimumGGPStake`). The contract rounds it down, so it can be one wei too low to pass its own check.',
    ({ figures }) => figures.minimumGGPStake,
  ),
  eligible: flag.optional(
    'Whether the staker is eligible for GGP rewards at this block (`ClaimNodeOp.isEligible`): registered for the minimum time, and with a minipool that has validated. Collateral is not considered, so the reward can still be 0.',
    ({ figures }) => figures.eligible,
  ),
  estimatedGGPReward: ggp.optional(
    'Estimated reward from the next distribution if nothing changes; 0 if the staker will not be eligible by then.',
    ({ figures }) => figures.estimatedGGPReward,
  ),
  ...ofDistributions,
  ggpLockedUntil: unixTime(
    'Time until which the staked GGP cannot be withdrawn; 0 if there is no lock, in the past if the lock has ended.',
    ({ staker }) => staker.ggpLockedUntil,
  ),
});
