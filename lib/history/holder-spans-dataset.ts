import type { Dataset } from '../cache/dataset.ts';
import type { Coverage } from '../ledger/ledger-progress.ts';
import { startOf } from '../rewards/holder-yield.ts';
import { holderSpans, type PricedSpan } from './holder-flows.ts';
import { type HolderTotals, readHolderPast, totalsOf, wholeDaysUntil } from './holder-past.ts';
import { readRecordedRates } from './rates.ts';

interface HolderSpans {
  coverage: Coverage;
  /** Every span in which they held ggAVAX. Empty while `coverage.complete` is false. */
  spans: PricedSpan[];
  /** Until when that is known, unix seconds. */
  until: number;
}

/** Read once for all ranges and pages. */
export function holderSpansDataset(holder: string): Dataset<HolderSpans> {
  return {
    name: `ggAvaxSpans/${holder}`,
    freshSeconds: 300,
    inTable: false,
    async read(context) {
      const rates = await readRecordedRates(context);
      const past = await readHolderPast(context, holder, wholeDaysUntil(rates));
      const { coverage } = past;
      const flows = coverage.complete ? totalsOf(holder, past, context.config.network.withdrawQueue).flows : [];
      const covered = rates.filter(({ block }) => block <= coverage.to);
      const spans = holderSpans(flows, covered);
      return { coverage, spans: spans.filter((span) => !isIdle(span)), until: untilOf(flows, spans) };
    },
  };
}

/** The end of the last span, or 0 if none is recorded since the first flow. Who never held any is known for ever. */
function untilOf([first]: HolderTotals['flows'], spans: readonly PricedSpan[]): number {
  if (!first) return Number.POSITIVE_INFINITY;
  const end = spans.at(-1)?.close.time ?? 0;
  return startOf(first) <= end ? end : 0;
}

/** Whether nothing was held at any time. Outflows need not be checked: ggAVAX that leaves has been held. */
function isIdle({ openShares, inflow }: PricedSpan): boolean {
  return openShares === 0n && inflow === 0n;
}
