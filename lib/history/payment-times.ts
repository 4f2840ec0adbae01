/**
 * The times at which a rewards cycle paid its stakers. No event has them, so they are searched for in the state: each step halves
 * the time between a state without the payment and one with it. About 10 states per cycle, because all are paid within hours.
 */

import type { BlockRef } from '../values/block.ts';
import { startOfPeriod } from './periods.ts';

/** GGP wei that each staker (lower-case address) has earned from a cycle up to a block. */
export interface Paid {
  block: BlockRef;
  earned: ReadonlyMap<string, bigint>;
}

/** A time is at most this much later than the payment, in the same UTC day, whose prices value it. */
const PRECISION_SECONDS = 3_600;

/**
 * The time (unix seconds) of the payment of each of these stakers. At `before`, none of them is paid; at `after`, all are.
 */
export async function findPaymentTimes(
  stakers: readonly string[],
  before: BlockRef,
  after: BlockRef,
  readAt: (block: number) => Promise<Paid>,
): Promise<Map<string, number>> {
  if (stakers.length === 0) return new Map();
  if (isPrecise(before, after)) return new Map(stakers.map((staker) => [staker, after.timestamp]));
  const { block, earned } = await readAt(Math.floor((before.number + after.number) / 2));
  const isPaid = (staker: string) => (earned.get(staker) ?? 0n) > 0n;
  const [early, late] = await Promise.all([
    findPaymentTimes(stakers.filter(isPaid), before, block, readAt),
    findPaymentTimes(
      stakers.filter((staker) => !isPaid(staker)),
      block,
      after,
      readAt,
    ),
  ]);
  return new Map([...early, ...late]);
}

function isPrecise(before: BlockRef, after: BlockRef): boolean {
  if (after.number - before.number <= 1) return true;
  const isSameDay = startOfPeriod(before.timestamp, '1d') === startOfPeriod(after.timestamp, '1d');
  return isSameDay && after.timestamp - before.timestamp <= PRECISION_SECONDS;
}
