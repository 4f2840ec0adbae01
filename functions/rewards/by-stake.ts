import * as z from 'zod/mini';
import { nextDistribution } from '../../lib/api/bodies/next-cycle-body.ts';
import { minipoolCreation } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, fields, json, object, partialFields } from '../../lib/api/fields.ts';
import { addressParam, amountParam } from '../../lib/api/params.ts';
import type { Reason } from '../../lib/api/reasons.ts';
import { avax, block, flag, ggp, percent, percentNumber, seconds } from '../../lib/api/units.ts';
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
      'Reward of one minipool cycle, for the operator and liquid stakers together.',
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
      () => avax.schema('AVAX supply on the P-Chain, which determines the reward.'),
      ({ terms }) => formatNAVAX(terms.supply),
    ),
  }),
);

const REWARD = partialFields<Source>('StakeRewardField')({
  ggpStaked: ggp('Requested amount.', ({ asked }) => asked.ggpStaked),
  avaxStaked: avax('Requested amount. Liquid stakers match it one to one.', ({ asked }) => asked.avaxStaked),
  ggpPriceInAVAX: avax('Price of one GGP that the contracts use.', ({ terms }) => terms.ggpPriceInAVAX),
  collateralPercent: percent.optional(
    'Value of the GGP as a share of the AVAX. Omitted without AVAX.',
    ({ reward }) => reward.collateralizationRatio,
  ),
  minCollateralPercent: percent(
    'Collateral required to run a minipool.',
    ({ terms }) => terms.minCollateralizationRatio,
  ),
  maxCollateralPercent: percent(
    'Collateral above which more GGP earns nothing.',
    ({ terms }) => terms.maxCollateralizationRatio,
  ),
  effectiveGGPStaked: ggp('GGP that counts in the distribution.', ({ reward }) => reward.effectiveGGPStaked),
  totalEffectiveGGPStaked: ggp(
    'GGP of all stakers that counts in the distribution, including this one.',
    ({ reward }) => reward.totalEffectiveGGPStaked,
  ),
  eligible: flag(
    '`true` if the collateral (10%) earns GGP rewards, assuming the minimum registration time.',
    ({ reward }) => reward.eligible,
  ),
  reason: choice('NoRewardReason', [
    'NO_AVAX_STAKED',
    'BELOW_MINIMUM_COLLATERAL',
    'NOTHING_TO_DISTRIBUTE',
    'AMOUNT_TOO_SMALL',
  ]).optional(
    'Reason for no GGP or no minipool. `NO_AVAX_STAKED`. `BELOW_MINIMUM_COLLATERAL`: below 10% or `minCollateralPercent`. `NOTHING_TO_DISTRIBUTE`: no GGP will be minted for node operators. `AMOUNT_TOO_SMALL`: less than one wei. Omitted otherwise.',
    ({ reward }) => reward.reason,
  ),
  cycle: nextDistribution('The next GGP distribution.', ({ staking, comingCycle }) => ({
    overview: staking,
    next: comingCycle,
  })),
  ggpReward: ggp('Reward from the next distribution.', ({ reward }) => reward.ggpReward),
  ggpRewardPerYear: ggp(
    '`ggpReward` per year. It pays for the time since the current cycle started: longer than `cycle.seconds` if the next one is overdue.',
    ({ reward }) => reward.ggpRewardPerYear,
  ),
  ggpAprPercent: percent(
    '`ggpRewardPerYear` as a share of the GGP staked.',
    ({ reward, asked }) => ratio(reward.ggpRewardPerYear, asked.ggpStaked) ?? 0n,
  ),
  avaxReward: avaxReward.optional(
    'AVAX reward of a validation that starts now. Omitted, and listed in `partial`, if unknown, usually because the P-Chain is unavailable.',
    ({ known }) => known,
    'SOURCE_UNAVAILABLE',
  ),
  ggpSlashAmt: ggp.optional(
    'GGP slashed if a cycle ends without a reward because of too little uptime: the expected reward of liquid stakers at `ggpPriceInAVAX`, at most `ggpStaked`. Omitted if its settings are unknown.',
    (source) => operatorSlash(source, source.asked),
  ),
  // Without the AVAX reward, the totals would be misleading.
  apy: percentNumber.optional(
    'Annual return on the GGP and AVAX, in AVAX. AVAX rewards are compounded, because the protocol restakes them; GGP rewards are not. Below `minCollateralPercent`, the AVAX reward is not included. Omitted without `avaxReward`.',
    ({ known, reward }) => known && roundYield(reward.apy),
    withoutSupply,
  ),
  aprPercent: percentNumber.optional(
    '`apy` without compounding. Omitted without `avaxReward`.',
    ({ known, reward }) => known && reward.aprPercent,
    withoutSupply,
  ),
  ...minipoolCreation,
  block: json(block().schema, ({ staking }) => staking.block),
});

/** The reason for missing yields. */
function withoutSupply({ known }: Source): Reason | undefined {
  return known ? undefined : 'SOURCE_UNAVAILABLE';
}

export const rewardsByStake = defineEndpoint({
  path: '/rewards/byStake',
  tag: 'Rewards',
  summary: 'Estimated node operator rewards for given amounts',
  description:
    "GGP reward from the next distribution and AVAX reward of one minipool cycle, at the oracle's GGP price and the stakes of this block. Inflation is projected, up to the maximum supply. GGP earns rewards from 10% of the AVAX up to `maxCollateralPercent`.",
  freshSeconds: 60,
  reads: ['flags'],
  input: z.object({
    ggpStaked: amountParam(GGP_MAX_SUPPLY, 'GGP stake, in whole GGP (not wei).'),
    avaxStaked: amountParam(MAX_AVAX, 'Own AVAX in minipools, in whole AVAX (not wei).'),
    address: z.optional(addressParam('Staker whose current stake these amounts replace.')),
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

export const handler = /* @__PURE__ */ createHandler(rewardsByStake);
