/** The times of a cycle's payments, which no event has: a search in about 10 states per cycle, as all are paid within hours. */

import type { BlockRef } from '../values/block.ts';
import { startOfPeriod } from './periods.ts';

/** A time is at most this much later than the payment, in the same UTC day, whose prices value it. */
const PRECISION_SECONDS = 3_600;

/**
 * The time (unix seconds) of the payment of each of these stakers. At `before`, none of them is paid; at `after`, all are.
 * `readAt` returns the GGP wei that each staker (lower-case address) has earned from the cycle up to a block.
 */
export async function findPaymentTimes(
  stakers: readonly string[],
  before: BlockRef,
  after: BlockRef,
  readAt: (block: number) => Promise<{ block: BlockRef; earned: ReadonlyMap<string, bigint> }>,
): Promise<Map<string, number>> {
  if (stakers.length === 0) return new Map();
  if (isPrecise(before, after)) return new Map(stakers.map((staker) => [staker, after.timestamp]));
  const { block, earned } = await readAt(Math.floor((before.number + after.number) / 2));
  const isPaid = (staker: string) => (earned.get(staker) ?? 0n) > 0n;
  const { paid = [], unpaid = [] } = Object.groupBy(stakers, (staker) => (isPaid(staker) ? 'paid' : 'unpaid'));
  const [early, late] = await Promise.all([
    findPaymentTimes(paid, before, block, readAt),
    findPaymentTimes(unpaid, block, after, readAt),
  ]);
  return new Map([...early, ...late]);
}

function isPrecise(before: BlockRef, after: BlockRef): boolean {
  if (after.number - before.number <= 1) return true;
  const isSameDay = startOfPeriod(before.timestamp, '1d') === startOfPeriod(after.timestamp, '1d');
  return isSameDay && after.timestamp - before.timestamp <= PRECISION_SECONDS;
}
