import { isWithin, type KnownSum, knownSum, overlaps, type PricedSpan, rewardEUR, rewardUSD } from './holder-flows.ts';
import { type HolderPeriod, periodsOf } from './holder-periods.ts';
import type { PeriodLength } from './periods.ts';

/** A range of a holder's past, in periods. */
interface Range {
  length: PeriodLength;
  /** Unix seconds. */
  first: number;
  end: number;
}

/** What a holder earned in a range. */
export interface HolderRange {
  periods: readonly HolderPeriod[];
  /** AVAX wei. */
  reward: bigint;
  usd: KnownSum;
  eur: KnownSum;
  /** Whether a span also covers time outside the range, so that the sums are not those of the range. */
  isDivided: boolean;
}

/** What a holder earned in a range of these spans, which are known `until` a time (unix seconds). */
export function rangeOf(spans: readonly PricedSpan[], { length, first, end }: Range, until: number): HolderRange {
  const wanted = spans.filter((span) => overlaps(span, first, end));
  return {
    periods: periodsOf(wanted, length, until),
    reward: wanted.reduce((sum, { reward }) => sum + reward, 0n),
    usd: knownSum(wanted, rewardUSD),
    eur: knownSum(wanted, rewardEUR),
    isDivided: wanted.some((span) => !isWithin(span, first, end)),
  };
}
