import * as z from 'zod/mini';
import { formatAmount, toNumber } from '../../lib/amounts.ts';
import { distributionSchema } from '../../lib/bodies/distribution.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ifKnown, unlessReverted } from '../../lib/known.ts';
import { claimantPercentages, comingCycle, stakingDataset } from '../../lib/protocol/staking.ts';
import { type Claimant, GGP_MAX_SUPPLY, splitByClaimant } from '../../lib/rewards/inflation.ts';
import { blockRef, integer, model, percent, seconds, tokens, unixTime } from '../../lib/schemas.ts';

const CLAIMANTS = ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'] as const satisfies Claimant[];

const response = () =>
  z.object({
    number: z.optional(integer('How many cycles have started.')),
    startTime: z.optional(unixTime('When the last one did.')),
    seconds: z.optional(seconds('Least time between two starts.')),
    totalAmt: z.optional(tokens('GGP', 'Minted and paid when it started, for the time before.')),
    distribution: z.optional(distributionSchema('totalAmt')),
    distributionPercent: z.optional(
      model(
        'ClaimantPercents',
        z.object({
          ClaimNodeOp: percent('For node operators.'),
          ClaimProtocolDAO: percent('For the treasury.'),
          MultisigManager: percent('For the multisigs.'),
        }),
      ).check(z.describe('How new GGP is split.')),
    ),
    next: z.optional(
      model(
        'NextRewardsCycle',
        z.object({
          number: z.optional(integer('Its number.')),
          startsAt: unixTime('When it can start: startTime + seconds, or this block if that is past.'),
          overdueSeconds: z.optional(seconds('For how long it has been due; left out while it is not.')),
          totalAmt: tokens(
            'GGP',
            'What it will mint, up to the maximum supply. With 0 the contract refuses to start it.',
          ),
          distribution: distributionSchema('totalAmt'),
        }),
      ).check(
        z.describe(
          'The coming cycle, projected to startsAt; left out while the settings allow none, such as claimants that are promised more than 100 %.',
        ),
      ),
    ),
    ggpTotalSupply: z.optional(tokens('GGP', 'In existence.')),
    ggpMaxSupply: tokens('GGP', 'What can ever exist.'),
    block: blockRef(),
  });

export const rewardsCycle = defineEndpoint({
  path: '/rewards/cycle',
  tag: 'Rewards',
  summary: 'The GGP rewards cycle',
  description:
    'The cycle that started last, and the coming one. GGP is minted by inflation when a cycle starts, which anybody may do once it is due, and ends at the maximum supply: the last cycle is a partial one, and none can be started after it.',
  freshSeconds: 60,
  shared: false,
  input: z.object({}),
  response,
  exampleRequest: '/rewards/cycle',
  example: {
    number: 39,
    startTime: 1_788_408_000,
    seconds: 2_592_000,
    totalAmt: '84234.1',
    distribution: { ClaimNodeOp: '58963.87', ClaimProtocolDAO: '16846.82', MultisigManager: '8423.41' },
    distributionPercent: { ClaimNodeOp: 70, ClaimProtocolDAO: 20, MultisigManager: 10 },
    next: {
      number: 40,
      startsAt: 1_791_000_000,
      totalAmt: '84571.906637191461660911',
      distribution: {
        ClaimNodeOp: '59200.334646034023162637',
        ClaimProtocolDAO: '16914.381327438292332182',
        MultisigManager: '8457.190663719146166091',
      },
    },
    ggpTotalSupply: '21064900.5',
    ggpMaxSupply: '22500000',
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const staking = await context.dataset(stakingDataset);
    const { rewardsPool, settings, ggpSupply, block } = staking;
    const number = ifKnown(Number, rewardsPool.getRewardsCycleCount);
    const percentages = claimantPercentages(staking);
    const coming = comingCycle(staking);
    const split = unlessReverted(() => ifKnown(splitByClaimant, rewardsPool.getRewardsCycleTotalAmt, percentages));
    return {
      number,
      startTime: ifKnown(Number, rewardsPool.getRewardsCycleStartTime),
      seconds: ifKnown(Number, settings.getRewardsCycleSeconds),
      totalAmt: ifKnown(formatAmount, rewardsPool.getRewardsCycleTotalAmt),
      distribution: ifKnown(formatSplit, split),
      distributionPercent: ifKnown((pct) => byClaimant((name) => toNumber(pct[name], 16)), percentages),
      next: coming && {
        number: ifKnown((count) => count + 1, number),
        startsAt: coming.startsAt,
        overdueSeconds: coming.overdueSeconds || undefined,
        totalAmt: formatAmount(coming.newTokens),
        distribution: formatSplit(coming.distribution),
      },
      ggpTotalSupply: ifKnown(formatAmount, ggpSupply),
      ggpMaxSupply: formatAmount(GGP_MAX_SUPPLY),
      block,
    };
  },
});

function byClaimant<T>(of: (name: Claimant) => T): Record<Claimant, T> {
  return Object.fromEntries(CLAIMANTS.map((name) => [name, of(name)])) as Record<Claimant, T>;
}

function formatSplit(split: Readonly<Record<Claimant, bigint>>): Record<Claimant, string> {
  return byClaimant((name) => formatAmount(split[name]));
}

export const handler = createHandler(rewardsCycle);
