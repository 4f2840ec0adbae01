import type { Dataset } from '../cache/dataset.ts';
import type { Coverage } from '../ledger/coverage.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import type { BlockRef } from '../values/block.ts';
import type { HistoryContext } from './history-store.ts';
import { holderSpans, type PricedSpan } from './holder-flows.ts';
import { type HolderTotals, readHolderPast, totalsOf } from './holder-past.ts';
import { readRecordedRates } from './rates.ts';

const NEVER: BlockRef = { number: 0, timestamp: 0 };

interface HolderSpans {
  coverage: Coverage;
  isDoubted: boolean;
  /** Every span in which the address held ggAVAX. Empty while earlier blocks are not indexed. */
  spans: PricedSpan[];
  until: BlockRef;
}

export function holderSpansDataset(holder: string): Dataset<HolderSpans, HistoryContext & LedgerContext> {
  return {
    name: `ggAvaxSpans/${holder}`,
    freshSeconds: 300,
    async read(context) {
      const [rates, past] = await Promise.all([readRecordedRates(context), readHolderPast(context, holder)]);
      const { coverage, isDoubted } = past;
      if (!coverage.complete && !coverage.isCut) return { coverage, isDoubted, spans: [], until: NEVER };
      const { flows } = totalsOf(holder, past, context.config.network.withdrawQueue, coverage.toBlock);
      const covered = rates.filter(({ block }) => block <= coverage.toBlock);
      const spans = holderSpans(flows, covered);
      const end = untilOf(flows, spans, coverage);
      const number = covered.findLast(({ time }) => time <= end)?.block ?? coverage.toBlock;
      const until = { number, timestamp: end };
      return { coverage, isDoubted, spans: spans.filter((span) => !isIdle(span)), until };
    },
  };
}

/** The end of the last span (unix seconds), or 0 if none is recorded since the first flow; without flows, of the coverage. */
function untilOf([first]: HolderTotals['flows'], spans: readonly PricedSpan[], { toTimestamp }: Coverage): number {
  if (!first) return toTimestamp;
  const end = spans.at(-1)?.close.time ?? 0;
  return first.time <= end ? end : 0;
}

/** True if nothing was held at any time. Outflows need not be checked: ggAVAX that leaves has been held. */
function isIdle({ openShares, inflow }: PricedSpan): boolean {
  return openShares === 0n && inflow === 0n;
}
