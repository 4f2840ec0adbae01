import {
  distribution,
  distributionPercent,
  type NextCycle,
  nextDistribution,
} from '../../lib/api/bodies/rewards-cycle-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { block, flag, ggp, integer, seconds, unixTime } from '../../lib/api/units.ts';
import { claimantPercentages, comingCycle, currentDataset, type Overview } from '../../lib/protocol/protocol.ts';
import { GGP_MAX_SUPPLY, splitByClaimant } from '../../lib/rewards/inflation.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';

const { number, startsAt, overdueSeconds } = nextDistribution.fields;

const NEXT = object<NextCycle>('NextRewardsCycle')({
  number,
  startsAt,
  overdueSeconds,
  totalAmt: ggp(
    'GGP to mint, projected, up to the maximum supply. At 0, the contract refuses to start the cycle.',
    ({ next }) => next.newTokens,
  ),
  distribution: distribution('`totalAmt` by claiming contract.', ({ next }) => next.distribution),
});

const CYCLE = object<Overview>()({
  number: integer.optional('Number of cycles so far.', ({ rewardsPool }) => rewardsPool.rewardsCycleCount),
  startTime: unixTime.optional('Start of the current cycle.', ({ rewardsPool }) => rewardsPool.rewardsCycleStartTime),
  seconds: seconds.optional('Minimum length of a cycle.', ({ settings }) => settings.rewardsCycleSeconds),
  totalAmt: ggp.optional('GGP minted at the start, for before.', ({ rewardsPool }) => rewardsPool.rewardsCycleTotalAmt),
  distribution: distribution.optional(
    '`totalAmt` by claiming contract, at the current `distributionPercent`.',
    (overview) => ifKnown(splitByClaimant, overview.rewardsPool.rewardsCycleTotalAmt, claimantPercentages(overview)),
  ),
  distributionPercent: distributionPercent.optional('Split between the claiming contracts.', claimantPercentages),
  next: NEXT.optional(
    'Next cycle, projected to `startsAt`. Omitted if the contracts allow no projection, for example with shares above 100%.',
    (overview) => ifKnown((next) => ({ overview, next }), comingCycle(overview)),
  ),
  paused: flag.optional(
    '`true` while the rewards pool is paused: nobody can start the next cycle. Omitted otherwise.',
    ({ paused }) => paused.RewardsPool || undefined,
  ),
  ggpTotalSupply: ggp.optional('Total supply of GGP.', ({ ggpSupply }) => ggpSupply),
  ggpMaxSupply: ggp('Maximum supply of GGP.', () => GGP_MAX_SUPPLY),
  block: block(),
});

export const rewardsCycle = defineEndpoint({
  path: '/rewards/cycle',
  tag: 'Rewards',
  summary: 'Current and next GGP rewards cycle',
  description:
    'A cycle mints GGP when it starts. Anyone can start one that is due, unless the rewards pool is `paused`. The cycle that reaches the maximum supply is smaller, and the last.',
  freshSeconds: 60,
  body: CYCLE,
  exampleRequest: '/rewards/cycle',
  handle: (_input, context) => context.dataset(currentDataset),
});

export const handler = /* @__PURE__ */ createHandler(rewardsCycle);
