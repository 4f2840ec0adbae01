import * as z from 'zod/mini';
import { formatAmount, formatNAVAX, roundNumber, roundYield, toNumber } from '../../lib/amounts.ts';
import { nextCycleBody, nextCycleSchema } from '../../lib/bodies/next-cycle.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ifKnown } from '../../lib/known.ts';
import { addressParam, amountParam } from '../../lib/params.ts';
import { operatorReward, readRewardTerms } from '../../lib/protocol/operator-reward.ts';
import { GGP_MAX_SUPPLY } from '../../lib/rewards/inflation.ts';
import { WAD } from '../../lib/rewards/wad.ts';
import { blockRef, flag, model, percent, seconds, tokens } from '../../lib/schemas.ts';

/** More than any operator has. */
const MAX_AVAX = 10_000_000n * WAD;

const response = () =>
  z.object({
    ggpStaked: tokens('GGP', 'The amount asked about.'),
    avaxStaked: tokens('AVAX', 'The amount asked about; liquid stakers match it one to one.'),
    ggpPriceInAVAX: tokens('AVAX', "Price of one GGP that the protocol's contracts use."),
    collateralPercent: z.optional(percent('Value of the GGP over the AVAX; left out when there is no AVAX.')),
    minCollateralPercent: percent('Collateral needed to run a minipool.'),
    maxCollateralPercent: percent('Collateral above which more GGP earns nothing.'),
    effectiveGGPStaked: tokens('GGP', 'What counts in the distribution.'),
    totalEffectiveGGPStaked: tokens(
      'GGP',
      'The same of all stakers eligible at the next distribution, this one included.',
    ),
    eligible: flag('Whether the collateral is enough to earn GGP; the minimum time is taken as served.'),
    reason: z.optional(
      model(
        'NoRewardReason',
        z.enum(['NO_AVAX_STAKED', 'BELOW_MINIMUM_COLLATERAL', 'NOTHING_TO_DISTRIBUTE', 'AMOUNT_TOO_SMALL']),
      ).check(z.describe('Why no GGP is earned.')),
    ),
    cycle: nextCycleSchema(),
    ggpReward: tokens('GGP', 'What these amounts earn in that distribution.'),
    ggpRewardPerYear: tokens(
      'GGP',
      'The same for a year at that pace: the distribution pays for the time since the running cycle began, which is longer than `cycle.seconds` while the next is overdue.',
    ),
    ggpAprPercent: percent('Yearly GGP reward over the GGP staked.'),
    avaxReward: z.optional(
      model(
        'ValidationReward',
        z.object({
          perCycle: tokens('AVAX', 'Validation reward of one minipool cycle, of operator and liquid stakers together.'),
          nodeOperator: tokens('AVAX', "The operator's part."),
          liquidStakers: tokens('AVAX', "The liquid stakers' part, after the protocol's fee."),
          protocolFee: tokens('AVAX', 'The fee.'),
          cycleSeconds: seconds('Length of a minipool cycle.'),
          aprPercent: percent("The operator's yearly return on their AVAX, not compounded."),
          supply: tokens('AVAX', 'AVAX in existence, which the reward depends on (P-Chain).'),
        }),
      ).check(z.describe('Reward of a validation that starts now. Left out if the P-Chain cannot be read.')),
    ),
    apy: z.optional(
      percent(
        'Yearly return on all that is put in, valued in AVAX. Compounded is what the protocol itself restakes, the AVAX of each minipool cycle; GGP is not, because it has to be claimed and staked again by hand.',
      ),
    ),
    aprPercent: z.optional(percent('The same with nothing compounded.')),
    partial: z.optional(z.array(z.string()).check(z.describe('Fields that are left out because a source failed.'))),
    block: blockRef(),
  });

export const rewardsByStake = defineEndpoint({
  path: '/rewards/byStake',
  tag: 'Rewards',
  summary: 'What a node operator with these amounts would earn',
  description:
    'GGP rewards of the next distribution (projected inflation, capped at the maximum supply) and the AVAX validation reward of one minipool cycle, at this block’s price and stakes. GGP has to be worth 10 % of the AVAX to count, and counts up to 150 %.',
  freshSeconds: 30,
  shared: false,
  input: z.object({
    ggpStaked: amountParam(GGP_MAX_SUPPLY, 'GGP the operator stakes, in whole tokens.'),
    avaxStaked: amountParam(MAX_AVAX, 'AVAX the operator puts into minipools, in whole tokens.'),
    address: z.optional(addressParam('A staker who is counted already: the amounts replace their stake.')),
  }),
  response,
  exampleRequest: '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  example: {
    ggpStaked: '5000',
    avaxStaked: '1000',
    ggpPriceInAVAX: '0.02',
    collateralPercent: 10,
    minCollateralPercent: 10,
    maxCollateralPercent: 150,
    effectiveGGPStaked: '5000',
    totalEffectiveGGPStaked: '1005000',
    eligible: true,
    cycle: { number: 40, startsAt: 1_791_000_000, seconds: 2_592_000, nodeOpPool: '59200.334646034023162637' },
    ggpReward: '294.529028089721464681',
    ggpRewardPerYear: '3583.436508424944486952',
    ggpAprPercent: 71.6687301685,
    avaxReward: {
      perCycle: '3.720813054',
      nodeOperator: '1.860406527',
      liquidStakers: '1.6743658743',
      protocolFee: '0.1860406527',
      cycleSeconds: 1_296_000,
      aprPercent: 4.5269892157,
      supply: '470000000',
    },
    apy: 10.721358005,
    aprPercent: 10.6307838478,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(input, context) {
    const rewardTerms = await readRewardTerms(context);
    const { staking, terms, comingCycle, validation } = rewardTerms;
    const reward = operatorReward(rewardTerms, input);
    const known = validation && reward.avaxReward;
    return {
      ggpStaked: formatAmount(input.ggpStaked),
      avaxStaked: formatAmount(input.avaxStaked),
      ggpPriceInAVAX: formatAmount(terms.ggpPriceInAVAX),
      collateralPercent: ifKnown(roundNumber, reward.collateralPercent),
      minCollateralPercent: toNumber(terms.minCollateralizationRatio, 16),
      maxCollateralPercent: toNumber(terms.maxCollateralizationRatio, 16),
      effectiveGGPStaked: formatAmount(reward.effectiveGGPStaked),
      totalEffectiveGGPStaked: formatAmount(reward.totalEffectiveGGPStaked),
      eligible: reward.eligible,
      reason: reward.reason,
      cycle: nextCycleBody(staking, comingCycle),
      ggpReward: formatAmount(reward.ggpReward),
      ggpRewardPerYear: formatAmount(reward.ggpRewardPerYear),
      ggpAprPercent: roundNumber(reward.ggpAprPercent),
      avaxReward: known && {
        perCycle: formatAmount(known.perCycle),
        nodeOperator: formatAmount(known.nodeOperator),
        liquidStakers: formatAmount(known.liquidStakers),
        protocolFee: formatAmount(known.protocolFee),
        cycleSeconds: validation.minipoolCycleSeconds,
        aprPercent: roundNumber(known.aprPercent),
        supply: formatNAVAX(validation.supply),
      },
      // Without the AVAX side the totals would look like a return that nobody gets.
      apy: known && roundYield(reward.apy),
      aprPercent: known && roundNumber(reward.aprPercent),
      partial: known ? undefined : ['avaxReward', 'apy', 'aprPercent'],
      block: staking.block,
    };
  },
});

export const handler = createHandler(rewardsByStake);
