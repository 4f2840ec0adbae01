import * as z from 'zod/mini';
import {
  distributionBody,
  distributionPercentBody,
  distributionPercentSchema,
  distributionSchema,
} from '../../lib/api/bodies/distribution-body.ts';
import { overdueSchema } from '../../lib/api/bodies/next-cycle-body.ts';
import { cyclesPaused } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { blockRef, integer, model, seconds, tokens, unixTime } from '../../lib/api/schemas.ts';
import { claimantPercentages, comingCycle, stakingDataset } from '../../lib/protocol/staking-dataset.ts';
import { GGP_MAX_SUPPLY, splitByClaimant } from '../../lib/rewards/inflation.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount } from '../../lib/values/amounts.ts';

const response = () =>
  z.object({
    number: z.optional(integer('Number of the current cycle, which is also the number of cycles started so far.')),
    startTime: z.optional(unixTime('Start of the current cycle.')),
    seconds: z.optional(seconds('Minimum time between the starts of two cycles.')),
    totalAmt: z.optional(
      tokens('GGP', 'GGP minted and paid at the start of the current cycle. It pays for the time before.'),
    ),
    distribution: z.optional(
      distributionSchema('`totalAmt` by claiming contract, at the current `distributionPercent`.'),
    ),
    distributionPercent: z.optional(
      distributionPercentSchema('How newly minted GGP is split between the claiming contracts.'),
    ),
    next: z.optional(
      model(
        'NextRewardsCycle',
        z.object({
          number: z.optional(integer('Number of the next cycle.')),
          startsAt: unixTime('Earliest start: `startTime` + `seconds`, or the time of this block if that has passed.'),
          overdueSeconds: overdueSchema(),
          totalAmt: tokens(
            'GGP',
            'Projected GGP to be minted, capped at the maximum supply. If 0, the contract refuses to start the cycle.',
          ),
          distribution: distributionSchema('`totalAmt` by claiming contract.'),
        }),
      ).check(
        z.describe(
          'The next cycle, projected to `startsAt`. Omitted if no cycle can be projected from the contracts, for example because the shares of the claiming contracts add up to more than 100%.',
        ),
      ),
    ),
    paused: cyclesPaused(),
    ggpTotalSupply: z.optional(tokens('GGP', 'Total supply of GGP.')),
    ggpMaxSupply: tokens('GGP', 'Maximum supply of GGP.'),
    block: blockRef(),
  });

export const rewardsCycle = defineEndpoint({
  path: '/rewards/cycle',
  tag: 'Rewards',
  summary: 'Current and next GGP rewards cycle',
  description:
    'The current rewards cycle, which is the one started last, and the next one. Each cycle mints GGP through inflation when it starts; anyone can start it once it is due, unless the rewards pool is `paused`. Minting ends at the maximum supply: the cycle that reaches it is smaller, and no cycle can start after it.',
  freshSeconds: 60,
  datasets: [stakingDataset],
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
    const number = ifKnown(Number, rewardsPool.rewardsCycleCount);
    const percentages = claimantPercentages(staking);
    const coming = comingCycle(staking);
    const split = ifKnown(splitByClaimant, rewardsPool.rewardsCycleTotalAmt, percentages);
    return {
      number,
      startTime: ifKnown(Number, rewardsPool.rewardsCycleStartTime),
      seconds: ifKnown(Number, settings.rewardsCycleSeconds),
      totalAmt: ifKnown(formatAmount, rewardsPool.rewardsCycleTotalAmt),
      distribution: ifKnown(distributionBody, split),
      distributionPercent: ifKnown(distributionPercentBody, percentages),
      next: coming && {
        number: ifKnown((count) => count + 1, number),
        startsAt: coming.startsAt,
        overdueSeconds: coming.overdueSeconds || undefined,
        totalAmt: formatAmount(coming.newTokens),
        distribution: distributionBody(coming.distribution),
      },
      paused: staking.paused.RewardsPool || undefined,
      ggpTotalSupply: ifKnown(formatAmount, ggpSupply),
      ggpMaxSupply: formatAmount(GGP_MAX_SUPPLY),
      block,
    };
  },
});

export const handler = createHandler(rewardsCycle);
