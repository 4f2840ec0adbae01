import * as z from 'zod/mini';
import { minipoolCreation } from '../../lib/api/bodies/minipool-body.ts';
import { nextDistribution } from '../../lib/api/bodies/rewards-cycle-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, json, object, partialObject } from '../../lib/api/fields.ts';
import { addressParam, amountParam } from '../../lib/api/params.ts';
import type { Reason } from '../../lib/api/reasons.ts';
import { avax, block, flag, ggp, percent, percentNumber, seconds } from '../../lib/api/units.ts';
import * as operator from '../../lib/protocol/operator-reward.ts';
import { GGP_MAX_SUPPLY } from '../../lib/rewards/inflation.ts';
import type { AvaxReward, ByStakeReward, ValidationTerms } from '../../lib/rewards/reward-by-stake.ts';
import { formatNAVAX, roundYield } from '../../lib/values/amounts.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { ratio, WAD } from '../../lib/values/wad.ts';

/** Upper limit of AVAX wei. No operator reaches it. */
const MAX_AVAX = 10_000_000n * WAD;

const REASONS = ['NO_AVAX_STAKED', 'BELOW_MINIMUM_COLLATERAL', 'NOTHING_TO_DISTRIBUTE', 'AMOUNT_TOO_SMALL'] as const;

interface StakeReward extends operator.RewardTerms, Omit<ByStakeReward, 'avaxReward'> {
  ggpStaked: bigint;
  avaxStaked: bigint;
  block: BlockRef;
  /** The AVAX reward and its terms; undefined while the P-Chain's supply is unknown. */
  avaxReward: (AvaxReward & { terms: ValidationTerms }) | undefined;
}

const avaxReward = object<AvaxReward & { terms: ValidationTerms }>('ValidationReward')({
  perCycle: avax('Reward of one minipool cycle, for the operator and liquid stakers together.'),
  nodeOperator: avax("The operator's share."),
  liquidStakers: avax("The liquid stakers' share, after the protocol's fee."),
  protocolFee: avax("The protocol's fee."),
  cycleSeconds: seconds('Length of a minipool cycle.', ({ terms }) => terms.minipoolCycleSeconds),
  aprPercent: percentNumber("The operator's annual return on their AVAX, not compounded."),
  supply: json(
    () => avax.schema('Supply on the P-Chain, which decides it.'),
    ({ terms }) => formatNAVAX(terms.supply),
  ),
});

const REWARD = partialObject<StakeReward>('StakeRewardField')({
  ggpStaked: ggp('Requested amount.'),
  avaxStaked: avax('Requested amount. Liquid stakers match it one to one.'),
  ggpPriceInAVAX: avax('Price of one GGP that the contracts use.', ({ terms }) => terms.ggpPriceInAVAX),
  collateralPercent: percent.optional(
    'Value of the GGP as a share of the AVAX. Omitted without AVAX.',
    ({ collateralizationRatio }) => collateralizationRatio,
  ),
  minCollateralPercent: percent('Required to run a minipool.', ({ terms }) => terms.minCollateralizationRatio),
  maxCollateralPercent: percent('Above it, more GGP earns nothing.', ({ terms }) => terms.maxCollateralizationRatio),
  effectiveGGPStaked: ggp('GGP that counts in the distribution.'),
  totalEffectiveGGPStaked: ggp('GGP of all stakers that counts in the distribution, including this one.'),
  eligible: flag('`true` if the collateral (10%) earns GGP rewards, assuming the minimum registration time.'),
  reason: choice('NoRewardReason', REASONS).optional(
    'Reason for no GGP or no minipool. `NO_AVAX_STAKED`. `BELOW_MINIMUM_COLLATERAL`: below 10% or `minCollateralPercent`. `NOTHING_TO_DISTRIBUTE`: no GGP will be minted for node operators. `AMOUNT_TOO_SMALL`: less than one wei. Omitted otherwise.',
  ),
  cycle: nextDistribution('The next GGP distribution.', ({ protocol: overview, comingCycle: next }) => ({
    overview,
    next,
  })),
  ggpReward: ggp('Reward from the next distribution.'),
  ggpRewardPerYear: ggp(
    '`ggpReward` per year. It pays for the time since the current cycle started: longer than `cycle.seconds` if the next one is overdue.',
  ),
  ggpAprPercent: percent(
    '`ggpRewardPerYear` as a share of the GGP staked.',
    ({ ggpRewardPerYear, ggpStaked }) => ratio(ggpRewardPerYear, ggpStaked) ?? 0n,
  ),
  avaxReward: avaxReward.optional(
    'AVAX reward of a validation that starts now. Omitted, and listed in `partial`, if unknown, usually because the P-Chain is unavailable.',
    ({ avaxReward }) => avaxReward,
    'SOURCE_UNAVAILABLE',
  ),
  ggpSlashAmt: ggp.optional(
    'GGP slashed if a cycle ends without a reward because of too little uptime: the expected reward of liquid stakers at `ggpPriceInAVAX`, at most `ggpStaked`. Omitted if its settings are unknown.',
    (source) => operator.operatorSlash(source, source),
  ),
  // Without the AVAX reward, the totals would be misleading.
  apy: percentNumber.optional(
    'Annual return on the GGP and AVAX, in AVAX. AVAX rewards are compounded, because the protocol restakes them; GGP rewards are not. Below `minCollateralPercent`, the AVAX reward is not included. Omitted without `avaxReward`.',
    ({ avaxReward, apy }) => avaxReward && roundYield(apy),
    withoutSupply,
  ),
  aprPercent: percentNumber.optional(
    '`apy` without compounding. Omitted without `avaxReward`.',
    ({ avaxReward, aprPercent }) => avaxReward && aprPercent,
    withoutSupply,
  ),
  ...minipoolCreation,
  block: block(),
});

function withoutSupply({ avaxReward }: StakeReward): Reason | undefined {
  return avaxReward ? undefined : 'SOURCE_UNAVAILABLE';
}

export const rewardsByStake = defineEndpoint({
  path: '/rewards/byStake',
  tag: 'Rewards',
  summary: 'Estimated node operator rewards for given amounts',
  description:
    "GGP reward from the next distribution and AVAX reward of one minipool cycle, at the oracle's GGP price and the stakes of this block. Inflation is projected, up to the maximum supply. GGP earns rewards from 10% of the AVAX up to `maxCollateralPercent`.",
  freshSeconds: 60,
  reads: ['flags'],
  params: {
    ggpStaked: amountParam(GGP_MAX_SUPPLY, 'GGP stake.'),
    avaxStaked: amountParam(MAX_AVAX, 'Own AVAX in minipools.'),
    address: z.optional(addressParam('Staker whose current stake these amounts replace.')),
  },
  body: REWARD,
  exampleRequest: '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  async handle(input, context) {
    const rewardTerms = await operator.readRewardTerms(context);
    const { protocol, validation: terms } = rewardTerms;
    const reward = operator.operatorReward(rewardTerms, input);
    const avaxReward = terms && reward.avaxReward && { ...reward.avaxReward, terms };
    return { ...rewardTerms, ...input, ...reward, avaxReward, block: protocol.block };
  },
});

export const handler = /* @__PURE__ */ createHandler(rewardsByStake);
