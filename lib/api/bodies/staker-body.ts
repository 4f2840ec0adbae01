/**
 * `lib/api/bodies`: schemas of bodies that several endpoints share, each with the function that makes the body from the
 * data read. Nothing here reads a chain or a table. Used by `functions/` and the rest of `lib/api`.
 */

import type { Staker } from '../../contracts/staking.ts';
import type { StakerFigures } from '../../protocol/staker-figures.ts';
import { object } from '../fields.ts';
import { address, avax, flag, ggp, integer, percent, unixTime } from '../units.ts';

export type StakerSource = Staker & StakerFigures;

/** The fields about distributions in a staker's record, here and in `/rewards/{address}`. */
export const distributionFields = {
  ggpRewards: ggp('Rewards distributed, not claimed.'),
  lastRewardsCycleCompleted: integer('Last rewards cycle distributed to the staker; 0 if none.'),
  rewardsStartTime: unixTime('Time of registration for rewards, by creating a minipool; 0 if not registered.'),
};

export const STAKER = object<StakerSource>('Staker')({
  index: integer("Zero-based position in the contract's list. Never changes."),
  stakerAddr: address('Address of the staker.'),
  ggpStaked: ggp('GGP staked now.'),
  avaxStaked: avax("The staker's own AVAX in minipools that are not `finished` or `canceled`."),
  avaxAssigned: avax("Liquid stakers' AVAX matched to the staker's `prelaunch`, `launched` and `staking` minipools."),
  avaxValidating: avax("Liquid stakers' AVAX in `staking` minipools."),
  avaxValidatingHighWater: avax("Highest `avaxValidating` since the staker's last rewards distribution."),
  collateralPercent: percent.optional(
    'Value of `ggpStaked` / `avaxAssigned` (`getCollateralizationRatio`). Omitted if nothing is assigned.',
    ({ collateralizationRatio }) => collateralizationRatio,
  ),
  effectiveRewardsPercent: percent.optional(
    "Value of `ggpStaked` / `avaxValidatingHighWater`, as it counts for rewards (`getEffectiveRewardsRatio`): at most the DAO's maximum; 0 if `avaxValidatingHighWater` is 0 or `collateralPercent` is below 10.",
    ({ effectiveRewardsRatio }) => effectiveRewardsRatio,
  ),
  effectiveGGPStaked: ggp.optional(
    'GGP that counts for rewards (`getEffectiveGGPStaked`). Can be some wei below `ggpStaked`, because the contract converts it to AVAX and back.',
  ),
  minimumGGPStake: ggp.optional(
    "Minimum GGP stake for `avaxAssigned` (`getMinimumGGPStake`). Rounded down, so it can be one wei too low for the contract's own check.",
  ),
  eligible: flag.optional(
    'Whether the staker is eligible for GGP rewards at this block (`ClaimNodeOp.isEligible`): registered long enough, with a minipool that has validated. Ignores collateral, so the reward can still be 0.',
  ),
  estimatedGGPReward: ggp.optional('Estimated next reward if nothing changes; 0 if not eligible by then.'),
  ...distributionFields,
  ggpLockedUntil: unixTime('End of the lock of the GGP, even if past; 0 if none.'),
});
