import * as z from 'zod/mini';
import { nextDistribution } from '../../lib/api/bodies/next-cycle-body.ts';
import { forAll, partialFields } from '../../lib/api/bodies/partial-body.ts';
import { minipoolCreation } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, fields, json, object } from '../../lib/api/fields.ts';
import { addressParam, amountParam } from '../../lib/api/params.ts';
import { blockRef, tokens } from '../../lib/api/schemas.ts';
import { avax, flag, ggp, percent, percentNumber, seconds } from '../../lib/api/units.ts';
import {
  operatorReward,
  operatorSlash,
  type RewardTerms,
  readRewardTerms,
} from '../../lib/protocol/operator-reward.ts';
import { GGP_MAX_SUPPLY } from '../../lib/rewards/inflation.ts';
import type { AvaxReward, ByStakeReward, ValidationTerms } from '../../lib/rewards/reward-by-stake.ts';
import { formatNAVAX, roundYield } from '../../lib/values/amounts.ts';
import { ratio, WAD } from '../../lib/values/wad.ts';

/** Upper limit of AVAX wei. No operator reaches it. */
const MAX_AVAX = 10_000_000n * WAD;

/** Fields that need the supply of AVAX. */
const FROM_P_CHAIN = ['avaxReward', 'apy', 'aprPercent'] as const;

interface Source extends RewardTerms {
  asked: { ggpStaked: bigint; avaxStaked: bigint };
  reward: ByStakeReward;
  /** The AVAX reward and its terms; undefined while the P-Chain's supply is unknown. */
  known: { reward: AvaxReward; terms: ValidationTerms } | undefined;
}

const avaxReward = object(
  'ValidationReward',
  fields<{ reward: AvaxReward; terms: ValidationTerms }>()({
    perCycle: avax(
      'Validation reward of one minipool cycle, for the operator and liquid stakers together.',
      ({ reward }) => reward.perCycle,
    ),
    nodeOperator: avax("The operator's share.", ({ reward }) => reward.nodeOperator),
    liquidStakers: avax("The liquid stakers' share, after the protocol's fee.", ({ reward }) => reward.liquidStakers),
    protocolFee: avax("The protocol's fee.", ({ reward }) => reward.protocolFee),
    cycleSeconds: seconds('Length of a minipool cycle.', ({ terms }) => terms.minipoolCycleSeconds),
    aprPercent: percentNumber(
      "The operator's annual return on their AVAX, not compounded.",
      ({ reward }) => reward.aprPercent,
    ),
    supply: json(
      () => tokens('AVAX', 'Current AVAX supply on the P-Chain, on which the reward depends.'),
      ({ terms }) => formatNAVAX(terms.supply),
    ),
  }),
);

const REWARD = fields<Source>()({
  ggpStaked: ggp('The requested amount.', ({ asked }) => asked.ggpStaked),
  avaxStaked: avax('The requested amount. Liquid stakers match it one to one.', ({ asked }) => asked.avaxStaked),
  ggpPriceInAVAX: avax("Price of one GGP that the protocol's contracts use.", ({ terms }) => terms.ggpPriceInAVAX),
  collateralPercent: percent.optional(
    'Value of the GGP as a share of the AVAX. Omitted when there is no AVAX.',
    ({ reward }) => reward.collateralizationRatio,
  ),
  minCollateralPercent: percent(
    'Collateral required to run a minipool.',
    ({ terms }) => terms.minCollateralizationRatio,
  ),
  maxCollateralPercent: percent(
    'Collateral above which additional GGP earns nothing.',
    ({ terms }) => terms.maxCollateralizationRatio,
  ),
  effectiveGGPStaked: ggp('GGP that counts in the distribution.', ({ reward }) => reward.effectiveGGPStaked),
  totalEffectiveGGPStaked: ggp(
    'Total `effectiveGGPStaked` of all stakers eligible at the next distribution, including this one.',
    ({ reward }) => reward.totalEffectiveGGPStaked,
  ),
  eligible: flag(
    'Whether the collateral is enough (10%) to earn GGP rewards. The minimum registration time is assumed to have passed.',
    ({ reward }) => reward.eligible,
  ),
  reason: choice('NoRewardReason', [
    'NO_AVAX_STAKED',
    'BELOW_MINIMUM_COLLATERAL',
    'NOTHING_TO_DISTRIBUTE',
    'AMOUNT_TOO_SMALL',
  ]).optional(
    'Why no GGP is earned or no minipool can run. `NO_AVAX_STAKED`: there is no AVAX. `BELOW_MINIMUM_COLLATERAL`: the collateral is below 10% or `minCollateralPercent`. `NOTHING_TO_DISTRIBUTE`: no GGP will be minted for node operators. `AMOUNT_TOO_SMALL`: the reward is less than one wei. Omitted otherwise.',
    ({ reward }) => reward.reason,
  ),
  cycle: nextDistribution('The next GGP distribution.', ({ staking, comingCycle }) => ({
    overview: staking,
    next: comingCycle,
  })),
  ggpReward: ggp('Reward from the next distribution.', ({ reward }) => reward.ggpReward),
  ggpRewardPerYear: ggp(
    '`ggpReward` extrapolated to a year. The distribution pays for the time since the current cycle started, which is longer than `cycle.seconds` if the next cycle is overdue.',
    ({ reward }) => reward.ggpRewardPerYear,
  ),
  ggpAprPercent: percent(
    '`ggpRewardPerYear` as a share of the GGP staked.',
    ({ reward, asked }) => ratio(reward.ggpRewardPerYear, asked.ggpStaked) ?? 0n,
  ),
  avaxReward: avaxReward.optional(
    'AVAX reward for a validation that starts now. Omitted, and listed in `partial`, if it cannot be determined, usually because the P-Chain is unavailable.',
    ({ known }) => known,
  ),
  ggpSlashAmt: ggp.optional(
    'GGP that the operator loses if a minipool cycle ends without a validation reward, because the node was offline for too long: what liquid stakers were expected to earn, at `ggpPriceInAVAX`, but at most `ggpStaked`. Omitted if the settings that decide it are unknown.',
    (source) => operatorSlash(source, source.asked),
  ),
  // Without the AVAX reward, the totals would be misleading.
  apy: percentNumber.optional(
    'Annual return on all GGP and AVAX put in, valued in AVAX. Only rewards that the protocol itself restakes are compounded: the AVAX of each minipool cycle. GGP rewards are not, because they have to be claimed and restaked manually. Below `minCollateralPercent`, the AVAX reward is not included. Omitted without `avaxReward`.',
    ({ known, reward }) => known && roundYield(reward.apy),
  ),
  aprPercent: percentNumber.optional(
    'The same as `apy`, with nothing compounded. Omitted without `avaxReward`.',
    ({ known, reward }) => known && reward.aprPercent,
  ),
  ...minipoolCreation,
  ...partialFields(FROM_P_CHAIN, 'StakeRewardField', ({ known }: Source) =>
    known ? {} : forAll(FROM_P_CHAIN, 'SOURCE_UNAVAILABLE'),
  ),
  block: json(blockRef, ({ staking }) => staking.block),
});

export const rewardsByStake = defineEndpoint({
  path: '/rewards/byStake',
  tag: 'Rewards',
  summary: 'Estimated node operator rewards for given amounts',
  description:
    "GGP reward from the next distribution (with projected inflation, capped at the maximum supply) and AVAX validation reward of one minipool cycle, at the oracle's GGP price and the stakes of this block. GGP earns rewards only if worth at least 10% of the AVAX, and only up to `maxCollateralPercent` of it.",
  freshSeconds: 60,
  reads: ['flags'],
  input: z.object({
    ggpStaked: amountParam(GGP_MAX_SUPPLY, "Operator's GGP stake, in whole GGP (not wei)."),
    avaxStaked: amountParam(MAX_AVAX, "Operator's own AVAX in minipools, in whole AVAX (not wei)."),
    address: z.optional(
      addressParam(
        'Address of an existing staker, whose current stake is replaced by these amounts instead of being counted in addition.',
      ),
    ),
  }),
  response: () => z.object(REWARD.shape()),
  exampleRequest: '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  async handle(input, context) {
    const rewardTerms = await readRewardTerms(context);
    const { validation } = rewardTerms;
    const reward = operatorReward(rewardTerms, input);
    const known = validation && reward.avaxReward && { reward: reward.avaxReward, terms: validation };
    return REWARD.body({ ...rewardTerms, asked: input, reward, known });
  },
});

export const handler = createHandler(rewardsByStake);
