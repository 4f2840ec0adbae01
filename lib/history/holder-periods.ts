/** What a holder earned by the day, month or year, in UTC. */

import { type KnownSum, knownSum, type PricedSpan, rewardEUR, rewardUSD } from './holder-flows.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';

/** A sum of spans. Days on which nothing was held are in none, so it may open later and close earlier than its period. */
export interface HolderPeriod extends PricedSpan {
  /** Unix seconds: the start of its day, month or year, or of the first of several. */
  readonly start: number;
  /** Whether it is exactly one, and that one is over. */
  readonly isWhole: boolean;
  readonly usd: KnownSum;
  readonly eur: KnownSum;
}

/**
 * The sums of these spans, in order, that are known `until` a time (unix seconds). A span that reaches into the next
 * period cannot be divided: both periods are then one.
 */
export function periodsOf(spans: readonly PricedSpan[], length: PeriodLength, until: number): HolderPeriod[] {
  const groups: [PricedSpan, ...PricedSpan[]][] = [];
  let end = 0;
  for (const span of spans) {
    if (span.open.time >= end) groups.push([span]);
    else groups.at(-1)?.push(span);
    end = startOfPeriod(span.close.time - 1, length, 1);
  }
  return groups.map((group) => sumOf(group, length, until));
}

function sumOf(spans: readonly [PricedSpan, ...PricedSpan[]], length: PeriodLength, until: number): HolderPeriod {
  const [first] = spans;
  const last = spans.at(-1) ?? first;
  const total = (amountOf: (span: PricedSpan) => bigint) => spans.reduce((sum, span) => sum + amountOf(span), 0n);
  const end = startOfPeriod(last.close.time - 1, length, 1);
  return {
    start: startOfPeriod(first.open.time, length),
    isWhole: end === startOfPeriod(first.open.time, length, 1) && end <= until,
    open: first.open,
    close: last.close,
    openShares: first.openShares,
    closeShares: last.closeShares,
    inflow: total(({ inflow }) => inflow),
    outflow: total(({ outflow }) => outflow),
    reward: total(({ reward }) => reward),
    valueTime: total(({ valueTime }) => valueTime),
    usd: knownSum(spans, rewardUSD),
    eur: knownSum(spans, rewardEUR),
  };
}
