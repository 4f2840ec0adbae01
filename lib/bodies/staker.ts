import * as z from 'zod/mini';
import { formatAmount, toNumber } from '../amounts.ts';
import { checksumAddress } from '../checksum.ts';
import type { Staker } from '../contracts/staking.ts';
import { ifKnown } from '../known.ts';
import type { StakerFigures } from '../protocol/stakers.ts';
import { address, flag, integer, percent, tokens, unixTime } from '../schemas.ts';

/** How a staker is answered, alone or in a list. */

export const stakerFields = () => ({
  index: integer("Position in the contract's list, from 0; it never changes."),
  stakerAddr: address('The staker.'),
  ggpStaked: tokens('GGP', 'Staked now; 0 for those who have withdrawn everything.'),
  avaxStaked: tokens('AVAX', 'Their own AVAX in minipools that are not over, withdrawable and failed ones included.'),
  avaxAssigned: tokens(
    'AVAX',
    "Liquid stakers' AVAX matched to them, from a minipool's creation to the end of its staking.",
  ),
  avaxValidating: tokens('AVAX', "Liquid stakers' AVAX that validates with them now."),
  avaxValidatingHighWater: tokens('AVAX', 'The most of it at one time since their last distribution.'),
  collateralPercent: z.optional(
    percent('Value of ggpStaked over avaxAssigned; left out when nothing is assigned, for it is infinite then.'),
  ),
  effectiveRewardsPercent: z.optional(
    percent(
      'Value of ggpStaked over avaxValidatingHighWater, as rewards count it: 0 under 10 % of collateral, at most the maximum.',
    ),
  ),
  effectiveGGPStaked: z.optional(
    tokens(
      'GGP',
      "What counts in a distribution. On its way through AVAX and back it loses some wei, so don't expect ggpStaked.",
    ),
  ),
  minimumGGPStake: z.optional(
    tokens('GGP', 'Least stake for avaxAssigned as the contract rounds it, which may be a wei short of what it takes.'),
  ),
  eligible: z.optional(
    flag(
      'ClaimNodeOp.isEligible at this block: registered for the minimum time and anything has validated. It does not look at collateral, so the reward may still be 0.',
    ),
  ),
  estimatedGGPReward: z.optional(
    tokens('GGP', 'What the coming distribution will bring if nothing changes; 0 for those not eligible by then.'),
  ),
  ggpRewards: tokens('GGP', 'Distributed and not claimed yet.'),
  lastRewardsCycleCompleted: integer('Number of the last rewards cycle that was distributed to them; 0 for none.'),
  rewardsStartTime: unixTime('When they registered for rewards by creating a minipool; 0 if they are not registered.'),
  ggpLockedUntil: unixTime(
    'Until when their GGP cannot be withdrawn; 0 for no lock, and in the past for none any more.',
  ),
});

export function stakerBody(staker: Staker, figures: StakerFigures) {
  return {
    index: staker.index,
    stakerAddr: checksumAddress(staker.stakerAddr),
    ggpStaked: formatAmount(staker.ggpStaked),
    avaxStaked: formatAmount(staker.avaxStaked),
    avaxAssigned: formatAmount(staker.avaxAssigned),
    avaxValidating: formatAmount(staker.avaxValidating),
    avaxValidatingHighWater: formatAmount(staker.avaxValidatingHighWater),
    collateralPercent: ifKnown(toNumber, figures.collateralizationRatio, 16),
    effectiveRewardsPercent: ifKnown(toNumber, figures.effectiveRewardsRatio, 16),
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
