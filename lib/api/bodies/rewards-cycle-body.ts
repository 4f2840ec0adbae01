import type { Overview } from '../../protocol/protocol.ts';
import type { Claimant, NextRewardsCycle } from '../../rewards/inflation.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { object, unit } from '../fields.ts';
import { ggp, integer, percent, seconds, unixTime } from '../units.ts';

type Split = Readonly<Record<Claimant, bigint>>;

const amountsWith = object<Split>('ClaimantAmounts', 'An amount of GGP by claiming contract.');
const amounts = amountsWith({
  ClaimNodeOp: ggp('Share of node operators.'),
  ClaimProtocolDAO: ggp('Share of the DAO treasury.'),
  MultisigManager: ggp('Share of the multisigs.'),
});

/** GGP wei by claimant. */
export const distribution = unit(
  (meaning) => amounts.schema(`${meaning} Each share is rounded down; the remainder stays in the rewards pool.`),
  amounts.json,
);

/** Fractions (1e18 = 100 %) by claimant. */
export const distributionPercent = object<Split>('ClaimantPercents')({
  ClaimNodeOp: percent('Share of node operators.'),
  ClaimProtocolDAO: percent('Share of the DAO treasury.'),
  MultisigManager: percent('Share of the multisigs.'),
});

export interface NextCycle {
  overview: Overview;
  next: NextRewardsCycle;
}

export const nextDistribution = object<NextCycle>('NextDistribution')({
  number: integer.optional('Number of the next rewards cycle.', ({ overview }) =>
    ifKnown((count) => count + 1n, overview.rewardsPool.rewardsCycleCount),
  ),
  startsAt: unixTime('Earliest start: end of the current cycle, or this block if later.', ({ next }) => next.startsAt),
  seconds: seconds.optional('Minimum length of a cycle.', ({ overview }) => overview.settings.rewardsCycleSeconds),
  overdueSeconds: seconds.optional(
    'Time by which the start is overdue. Inflation continues, so the next cycle pays for it, too. Omitted if not overdue.',
    ({ next }) => next.overdueSeconds || undefined,
  ),
  nodeOpPool: ggp('GGP for all node operators; 0 at the maximum supply.', ({ next }) => next.distribution.ClaimNodeOp),
});
