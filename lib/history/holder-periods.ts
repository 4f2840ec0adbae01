/** Rewards of a holder by UTC day, month or year. */

import { type Earned, earnedIn, type PricedSpan } from './holder-flows.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';

/** A sum of spans. Days without ggAVAX are in no span, so it may open later and close earlier than its period. */
export interface HolderPeriod extends PricedSpan, Earned {
  /** Unix seconds: the start of its day, month or year, or of the first of several. */
  readonly start: number;
  /** True if it is exactly one day, month or year, and that period is over. */
  readonly isWhole: boolean;
}

interface HolderRange extends Earned {
  periods: readonly HolderPeriod[];
  /** True if a span also covers time outside the range, so that the sums are not those of the range. */
  isDivided: boolean;
}

/** A holder's rewards from `first` to `end`, from spans that are known up to `until` (all unix seconds). */
export function rangeOf(
  spans: readonly PricedSpan[],
  { length, first, end }: { length: PeriodLength; first: number; end: number },
  until: number,
): HolderRange {
  const wanted = spans.filter(({ open, close }) => open.time < end && close.time > first);
  return {
    ...earnedIn(wanted),
    periods: periodsOf(wanted, length, until),
    isDivided: wanted.some(({ open, close }) => open.time < first || close.time > end),
  };
}

/**
 * The sums by period of spans (in order) that are known up to `until` (unix seconds). A span that reaches into the next
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
    valueTime: total(({ valueTime }) => valueTime),
    ...earnedIn(spans),
  };
}
