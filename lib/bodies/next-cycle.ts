import * as z from 'zod/mini';
import { formatAmount } from '../amounts.ts';
import { ifKnown } from '../known.ts';
import type { Staking } from '../protocol/staking.ts';
import type { NextRewardsCycle } from '../rewards/inflation.ts';
import { integer, model, seconds, tokens, unixTime } from '../schemas.ts';

/** How the coming GGP distribution is answered beside what somebody gets of it. */

export const nextCycleSchema = () =>
  model(
    'NextDistribution',
    z.object({
      number: z.optional(integer('Number of the next rewards cycle.')),
      startsAt: unixTime('When it can start: the end of the running cycle, or this block if that is past.'),
      seconds: z.optional(seconds('Length of a cycle.')),
      nodeOpPool: tokens('GGP', 'What it will pay to node operators; 0 once the supply cap is reached.'),
    }),
  ).check(z.describe('The next distribution.'));

export function nextCycleBody({ rewardsPool, settings }: Staking, { startsAt, distribution }: NextRewardsCycle) {
  return {
    number: ifKnown((count) => Number(count) + 1, rewardsPool.getRewardsCycleCount),
    startsAt,
    seconds: ifKnown(Number, settings.getRewardsCycleSeconds),
    nodeOpPool: formatAmount(distribution.ClaimNodeOp),
  };
}
