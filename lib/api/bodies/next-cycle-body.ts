import * as z from 'zod/mini';
import type { Staking } from '../../protocol/staking-dataset.ts';
import type { NextRewardsCycle } from '../../rewards/inflation.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount } from '../../values/amounts.ts';
import { integer, model, seconds, tokens, unixTime } from '../schemas.ts';

/** The next GGP distribution, in responses that say what somebody gets of it. */

export const overdueSchema = () =>
  z.optional(
    seconds(
      'Time by which the start is overdue. Inflation goes on, so the next cycle pays for it, too. Omitted if it is not overdue.',
    ),
  );

export const nextCycleSchema = () =>
  model(
    'NextDistribution',
    z.object({
      number: z.optional(integer('Number of the next rewards cycle.')),
      startsAt: unixTime('Earliest start: the end of the current cycle, or the time of this block if that has passed.'),
      seconds: z.optional(seconds('Minimum length of a cycle.')),
      overdueSeconds: overdueSchema(),
      nodeOpPool: tokens('GGP', 'Projected GGP for all node operators; 0 once the maximum supply is reached.'),
    }),
  ).check(z.describe('The next GGP distribution.'));

export function nextCycleBody(
  { rewardsPool, settings }: Staking,
  { startsAt, overdueSeconds, distribution }: NextRewardsCycle,
) {
  return {
    number: ifKnown((count) => Number(count) + 1, rewardsPool.rewardsCycleCount),
    startsAt,
    seconds: ifKnown(Number, settings.rewardsCycleSeconds),
    overdueSeconds: overdueSeconds || undefined,
    nodeOpPool: formatAmount(distribution.ClaimNodeOp),
  };
}
