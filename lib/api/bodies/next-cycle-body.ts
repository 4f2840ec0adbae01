import type { Overview } from '../../protocol/overview.ts';
import type { NextRewardsCycle } from '../../rewards/inflation.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { object } from '../fields.ts';
import { ggp, integer, seconds, unixTime } from '../units.ts';

interface NextCycle {
  overview: Overview;
  next: NextRewardsCycle;
}

export function nextNumber({ rewardsPool }: Overview): bigint | undefined {
  return ifKnown((count) => count + 1n, rewardsPool.rewardsCycleCount);
}

export const overdueSeconds = seconds.optional(
  'Time by which the start is overdue. Inflation continues, so the next cycle pays for it, too. Omitted if not overdue.',
  ({ next }: NextCycle) => next.overdueSeconds || undefined,
);

export const nextDistribution = object<NextCycle>('NextDistribution')({
  number: integer.optional('Number of the next rewards cycle.', ({ overview }) => nextNumber(overview)),
  startsAt: unixTime('Earliest start: end of the current cycle, or this block if later.', ({ next }) => next.startsAt),
  seconds: seconds.optional('Minimum length of a cycle.', ({ overview }) => overview.settings.rewardsCycleSeconds),
  overdueSeconds,
  nodeOpPool: ggp('GGP for all node operators; 0 at the maximum supply.', ({ next }) => next.distribution.ClaimNodeOp),
});
