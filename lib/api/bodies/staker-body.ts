/**
 * `lib/api/bodies`: schemas of bodies that several endpoints share, each with the function that makes the body from what
 * was read. Nothing here reads a chain or a table. Used by `functions/`.
 */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import type { Staker } from '../../contracts/staking.ts';
import type { StakerFigures } from '../../protocol/staker-figures.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount, percentFrom } from '../../values/amounts.ts';
import { address, flag, integer, percent, tokens, unixTime } from '../schemas.ts';

/** How a staker looks in responses, alone or in a list. */

export const stakerFields = () => ({
  index: integer("Zero-based position in the contract's list. It never changes."),
  stakerAddr: address('Address of the staker.'),
  ggpStaked: tokens('GGP', 'GGP staked now; 0 if everything has been withdrawn.'),
  avaxStaked: tokens(
    'AVAX',
    "The staker's own AVAX in minipools, from creation until it is withdrawn: `prelaunch`, `launched`, `staking`, `withdrawable`, and `error`.",
  ),
  avaxAssigned: tokens(
    'AVAX',
    "Liquid stakers' AVAX matched to the staker's minipools, from creation to the end of staking: `prelaunch`, `launched`, and `staking`.",
  ),
  avaxValidating: tokens('AVAX', "Liquid stakers' AVAX in the staker's `staking` minipools."),
  avaxValidatingHighWater: tokens('AVAX', "Highest `avaxValidating` since the staker's last rewards distribution."),
  collateralPercent: z.optional(
    percent(
      'Value of `ggpStaked` as a share of `avaxAssigned` (`getCollateralizationRatio`). Omitted when nothing is assigned, because the ratio is then infinite.',
    ),
  ),
  effectiveRewardsPercent: z.optional(
    percent(
      "Value of `ggpStaked` as a share of `avaxValidatingHighWater`, as it counts for rewards (`getEffectiveRewardsRatio`): 0 if `avaxValidatingHighWater` is 0 or `collateralPercent` is below 10, and at most the DAO's maximum.",
    ),
  ),
  effectiveGGPStaked: z.optional(
    tokens(
      'GGP',
      'GGP that counts in a rewards distribution (`getEffectiveGGPStaked`). Can be some wei below `ggpStaked`, because the contract converts it to AVAX and back.',
    ),
  ),
  minimumGGPStake: z.optional(
    tokens(
      'GGP',
      'Minimum GGP stake for `avaxAssigned` (`getMinimumGGPStake`). The contract rounds it down, so it can be one wei too low to pass its own check.',
    ),
  ),
  eligible: z.optional(
    flag(
      'Whether the staker is eligible for GGP rewards at this block (`ClaimNodeOp.isEligible`): registered for the minimum time, and with a minipool that has validated. Collateral is not considered, so the reward can still be 0.',
    ),
  ),
  estimatedGGPReward: z.optional(
    tokens(
      'GGP',
      'Estimated reward from the next distribution if nothing changes; 0 if the staker will not be eligible by then.',
    ),
  ),
  ggpRewards: tokens('GGP', 'Rewards distributed but not yet claimed.'),
  lastRewardsCycleCompleted: integer('Number of the last rewards cycle distributed to the staker; 0 if there is none.'),
  rewardsStartTime: unixTime('When the staker registered for rewards by creating a minipool; 0 if not registered.'),
  ggpLockedUntil: unixTime(
    'Time until which the staked GGP cannot be withdrawn; 0 if there is no lock, in the past if the lock has ended.',
  ),
});

export function stakerBody(staker: Staker, figures: StakerFigures) {
  return {
    index: staker.index,
    stakerAddr: getAddress(staker.stakerAddr),
    ggpStaked: formatAmount(staker.ggpStaked),
    avaxStaked: formatAmount(staker.avaxStaked),
    avaxAssigned: formatAmount(staker.avaxAssigned),
    avaxValidating: formatAmount(staker.avaxValidating),
    avaxValidatingHighWater: formatAmount(staker.avaxValidatingHighWater),
    collateralPercent: ifKnown(percentFrom, figures.collateralizationRatio),
    effectiveRewardsPercent: ifKnown(percentFrom, figures.effectiveRewardsRatio),
    effectiveGGPStaked: ifKnown(formatAmount, figures.effectiveGGPStaked),
    minimumGGPStake: ifKnown(formatAmount, figures.minimumGGPStake),
    eligible: figures.eligible,
    estimatedGGPReward: ifKnown(formatAmount, figures.estimatedGGPReward),
    ggpRewards: formatAmount(staker.ggpRewards),
    lastRewardsCycleCompleted: staker.lastRewardsCycleCompleted,
    rewardsStartTime: staker.rewardsStartTime,
    ggpLockedUntil: staker.ggpLockedUntil,
  };
}
