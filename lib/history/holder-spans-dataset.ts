import type { Dataset } from '../cache/dataset.ts';
import type { Coverage } from '../ledger/ledger-progress.ts';
import { provenPart } from '../ledger/proven.ts';
import { holderSpans, type PricedSpan } from './holder-flows.ts';
import { type HolderTotals, readHolderPast, totalsOf } from './holder-past.ts';
import { readRecordedRates } from './rates.ts';

interface HolderSpans {
  /** Up to where it is proven. */
  coverage: Coverage;
  /** Every span in which they held ggAVAX. Empty while nothing is proven. */
  spans: PricedSpan[];
  /** Until when that is known, unix seconds. */
  until: number;
}

/** Read once for all ranges and pages. */
export function holderSpansDataset(holder: string): Dataset<HolderSpans> {
  return {
    name: `ggAvaxSpans/${holder}`,
    freshSeconds: 300,
    async read(context) {
      const [rates, past] = await Promise.all([readRecordedRates(context), readHolderPast(context, holder)]);
      const coverage = provenPart(past.coverage);
      if (!coverage) return { coverage: past.coverage, spans: [], until: 0 };
      const { flows } = totalsOf(holder, past, context.config.network.withdrawQueue, coverage.to);
      const covered = rates.filter(({ block }) => block <= coverage.to);
      const spans = holderSpans(flows, covered);
      return { coverage, spans: spans.filter((span) => !isIdle(span)), until: untilOf(flows, spans, coverage) };
    },
  };
}

/**
 * The end of the last span, or 0 if none is recorded since the first flow. Who never held any is known for ever, or as
 * long as all is proven.
 */
function untilOf(
  [first]: HolderTotals['flows'],
  spans: readonly PricedSpan[],
  { complete, toTimestamp = 0 }: Coverage,
): number {
  if (!first) return complete ? Number.POSITIVE_INFINITY : toTimestamp;
  const end = spans.at(-1)?.close.time ?? 0;
  return first.time <= end ? end : 0;
}

/** Whether nothing was held at any time. Outflows need not be checked: ggAVAX that leaves has been held. */
function isIdle({ openShares, inflow }: PricedSpan): boolean {
  return openShares === 0n && inflow === 0n;
}
