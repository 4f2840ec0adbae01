import * as z from 'zod/mini';
import { distribution, distributionPercent } from '../../lib/api/bodies/distribution-body.ts';
import { nextNumber, overdueSeconds } from '../../lib/api/bodies/next-cycle-body.ts';
import { cyclesPaused } from '../../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, object } from '../../lib/api/fields.ts';
import { block, ggp, integer, seconds, unixTime } from '../../lib/api/units.ts';
import { currentDataset } from '../../lib/protocol/current-dataset.ts';
import { claimantPercentages, comingCycle, type Overview } from '../../lib/protocol/overview.ts';
import { GGP_MAX_SUPPLY, type NextRewardsCycle, splitByClaimant } from '../../lib/rewards/inflation.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';

const NEXT = fields<{ overview: Overview; next: NextRewardsCycle }>()({
  number: integer.optional('Number of the next cycle.', ({ overview }) => nextNumber(overview)),
  startsAt: unixTime(
    'Earliest start: `startTime` + `seconds`, or the time of this block if that has passed.',
    ({ next }) => next.startsAt,
  ),
  overdueSeconds,
  totalAmt: ggp(
    'Projected GGP to be minted, capped at the maximum supply. If 0, the contract refuses to start the cycle.',
    ({ next }) => next.newTokens,
  ),
  distribution: distribution('`totalAmt` by claiming contract.', ({ next }) => next.distribution),
});

const CYCLE = fields<Overview>()({
  number: integer.optional(
    'Number of the current cycle, which is also the number of cycles started so far.',
    ({ rewardsPool }) => rewardsPool.rewardsCycleCount,
  ),
  startTime: unixTime.optional('Start of the current cycle.', ({ rewardsPool }) => rewardsPool.rewardsCycleStartTime),
  seconds: seconds.optional(
    'Minimum time between the starts of two cycles.',
    ({ settings }) => settings.rewardsCycleSeconds,
  ),
  totalAmt: ggp.optional(
    'GGP minted and paid at the start of the current cycle. It pays for the time before.',
    ({ rewardsPool }) => rewardsPool.rewardsCycleTotalAmt,
  ),
  distribution: distribution.optional(
    '`totalAmt` by claiming contract, at the current `distributionPercent`.',
    (overview) => ifKnown(splitByClaimant, overview.rewardsPool.rewardsCycleTotalAmt, claimantPercentages(overview)),
  ),
  distributionPercent: distributionPercent.optional(
    'How newly minted GGP is split between the claiming contracts.',
    claimantPercentages,
  ),
  next: object('NextRewardsCycle', NEXT).optional(
    'The next cycle, projected to `startsAt`. Omitted if no cycle can be projected from the contracts, for example because the shares of the claiming contracts add up to more than 100%.',
    (overview) => ifKnown((next) => ({ overview, next }), comingCycle(overview)),
  ),
  paused: cyclesPaused,
  ggpTotalSupply: ggp.optional('Total supply of GGP.', ({ ggpSupply }) => ggpSupply),
  ggpMaxSupply: ggp('Maximum supply of GGP.', () => GGP_MAX_SUPPLY),
  block: block(),
});

export const rewardsCycle = defineEndpoint({
  path: '/rewards/cycle',
  tag: 'Rewards',
  summary: 'Current and next GGP rewards cycle',
  description:
    'The current rewards cycle, which is the one started last, and the next one. Each cycle mints GGP through inflation when it starts; anyone can start it once it is due, unless the rewards pool is `paused`. Minting ends at the maximum supply: the cycle that reaches it is smaller, and no cycle can start after it.',
  freshSeconds: 60,
  input: z.object({}),
  response: () => z.object(CYCLE.shape()),
  exampleRequest: '/rewards/cycle',
  handle: async (_input, context) => CYCLE.body(await context.dataset(currentDataset)),
});

export const handler = createHandler(rewardsCycle);
