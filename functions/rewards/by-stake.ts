import * as z from 'zod/mini';
import { nextCycleBody, nextCycleSchema } from '../../lib/api/bodies/next-cycle-body.ts';
import { forAll, partialBody, partialSchema } from '../../lib/api/bodies/partial-body.ts';
import { minipoolsOpen, minipoolsPaused } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam, amountParam } from '../../lib/api/params.ts';
import { blockRef, flag, model, percent, seconds, tokens } from '../../lib/api/schemas.ts';
import { operatorReward, operatorSlash, readRewardTerms } from '../../lib/protocol/operator-reward.ts';
import { GGP_MAX_SUPPLY } from '../../lib/rewards/inflation.ts';
import {
  formatAmount,
  formatNAVAX,
  percentFrom,
  percentOf,
  roundNumber,
  roundYield,
} from '../../lib/values/amounts.ts';
import { WAD } from '../../lib/values/wad.ts';

/** An upper limit that no operator reaches. */
const MAX_AVAX = 10_000_000n * WAD;

/** What needs the supply of AVAX. */
const FROM_P_CHAIN = ['avaxReward', 'apy', 'aprPercent'] as const;

const response = () =>
  z.object({
    ggpStaked: tokens('GGP', 'The requested amount.'),
    avaxStaked: tokens('AVAX', 'The requested amount. Liquid stakers match it one to one.'),
    ggpPriceInAVAX: tokens('AVAX', "Price of one GGP that the protocol's contracts use."),
    collateralPercent: z.optional(percent('Value of the GGP as a share of the AVAX. Omitted when there is no AVAX.')),
    minCollateralPercent: percent('Collateral required to run a minipool.'),
    maxCollateralPercent: percent('Collateral above which additional GGP earns nothing.'),
    effectiveGGPStaked: tokens('GGP', 'GGP that counts in the distribution.'),
    totalEffectiveGGPStaked: tokens(
      'GGP',
      'Total `effectiveGGPStaked` of all stakers eligible at the next distribution, including this one.',
    ),
    eligible: flag(
      'Whether the collateral is enough (10%) to earn GGP rewards. The minimum registration time is assumed to have passed.',
    ),
    reason: z.optional(
      model(
        'NoRewardReason',
        z.enum(['NO_AVAX_STAKED', 'BELOW_MINIMUM_COLLATERAL', 'NOTHING_TO_DISTRIBUTE', 'AMOUNT_TOO_SMALL']),
      ).check(
        z.describe(
          'Why no GGP is earned or no minipool can run. `NO_AVAX_STAKED`: there is no AVAX. `BELOW_MINIMUM_COLLATERAL`: the collateral is below 10% or `minCollateralPercent`. `NOTHING_TO_DISTRIBUTE`: no GGP will be minted for node operators. `AMOUNT_TOO_SMALL`: the reward is less than one wei. Omitted otherwise.',
        ),
      ),
    ),
    cycle: nextCycleSchema(),
    ggpReward: tokens('GGP', 'Reward from the next distribution.'),
    ggpRewardPerYear: tokens(
      'GGP',
      '`ggpReward` extrapolated to a year. The distribution pays for the time since the current cycle started, which is longer than `cycle.seconds` if the next cycle is overdue.',
    ),
    ggpAprPercent: percent('`ggpRewardPerYear` as a share of the GGP staked.'),
    avaxReward: z.optional(
      model(
        'ValidationReward',
        z.object({
          perCycle: tokens(
            'AVAX',
            'Validation reward of one minipool cycle, for the operator and liquid stakers together.',
          ),
          nodeOperator: tokens('AVAX', "The operator's share."),
          liquidStakers: tokens('AVAX', "The liquid stakers' share, after the protocol's fee."),
          protocolFee: tokens('AVAX', "The protocol's fee."),
          cycleSeconds: seconds('Length of a minipool cycle.'),
          aprPercent: percent("The operator's annual return on their AVAX, not compounded."),
          supply: tokens('AVAX', 'Current AVAX supply on the P-Chain, on which the reward depends.'),
        }),
      ).check(
        z.describe(
          'AVAX reward for a validation that starts now. Omitted, and listed in `partial`, if it cannot be determined, usually because the P-Chain is unavailable.',
        ),
      ),
    ),
    ggpSlashAmt: z.optional(
      tokens(
        'GGP',
        'GGP that the operator loses if a minipool cycle ends without a validation reward, because the node was offline for too long: what liquid stakers were expected to earn, at `ggpPriceInAVAX`, but at most `ggpStaked`. Omitted if the settings that decide it are unknown.',
      ),
    ),
    apy: z.optional(
      percent(
        'Annual return on all GGP and AVAX put in, valued in AVAX. Only rewards that the protocol itself restakes are compounded: the AVAX of each minipool cycle. GGP rewards are not, because they have to be claimed and restaked manually. Below `minCollateralPercent`, the AVAX reward is not included. Omitted without `avaxReward`.',
      ),
    ),
    aprPercent: z.optional(percent('The same as `apy`, with nothing compounded. Omitted without `avaxReward`.')),
    open: minipoolsOpen(),
    paused: minipoolsPaused(),
    ...partialSchema(FROM_P_CHAIN, 'StakeRewardField'),
    block: blockRef(),
  });

export const rewardsByStake = defineEndpoint({
  path: '/rewards/byStake',
  tag: 'Rewards',
  summary: 'Estimated node operator rewards for given amounts',
  description:
    "GGP reward from the next distribution (with projected inflation, capped at the maximum supply) and AVAX validation reward of one minipool cycle, at the oracle's GGP price and the stakes of this block. GGP earns rewards only if worth at least 10% of the AVAX, and only up to `maxCollateralPercent` of it.",
  freshSeconds: 30,
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
  response,
  exampleRequest: '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  async handle(input, context) {
    const rewardTerms = await readRewardTerms(context);
    const { staking, terms, comingCycle, validation } = rewardTerms;
    const reward = operatorReward(rewardTerms, input);
    const known = validation && reward.avaxReward;
    return {
      ggpStaked: formatAmount(input.ggpStaked),
      avaxStaked: formatAmount(input.avaxStaked),
      ggpPriceInAVAX: formatAmount(terms.ggpPriceInAVAX),
      collateralPercent: percentFrom(reward.collateralizationRatio),
      minCollateralPercent: percentFrom(terms.minCollateralizationRatio),
      maxCollateralPercent: percentFrom(terms.maxCollateralizationRatio),
      effectiveGGPStaked: formatAmount(reward.effectiveGGPStaked),
      totalEffectiveGGPStaked: formatAmount(reward.totalEffectiveGGPStaked),
      eligible: reward.eligible,
      reason: reward.reason,
      cycle: nextCycleBody(staking, comingCycle),
      ggpReward: formatAmount(reward.ggpReward),
      ggpRewardPerYear: formatAmount(reward.ggpRewardPerYear),
      ggpAprPercent: percentOf(reward.ggpRewardPerYear, input.ggpStaked) ?? 0,
      avaxReward: known && {
        perCycle: formatAmount(known.perCycle),
        nodeOperator: formatAmount(known.nodeOperator),
        liquidStakers: formatAmount(known.liquidStakers),
        protocolFee: formatAmount(known.protocolFee),
        cycleSeconds: validation.minipoolCycleSeconds,
        aprPercent: roundNumber(known.aprPercent),
        supply: formatNAVAX(validation.supply),
      },
      ggpSlashAmt: formatAmount(operatorSlash(rewardTerms, input)),
      // Without the AVAX reward, the totals would be misleading.
      apy: known && roundYield(reward.apy),
      aprPercent: known && roundNumber(reward.aprPercent),
      open: rewardTerms.isOpen,
      paused: staking.paused.MinipoolManager || undefined,
      ...(!known && partialBody(forAll(FROM_P_CHAIN, 'SOURCE_UNAVAILABLE'))),
      block: staking.block,
    };
  },
});

export const handler = createHandler(rewardsByStake);
