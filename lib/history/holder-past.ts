import type { Dataset } from '../cache/cache.ts';
import type { Coverage } from '../ledger/coverage.ts';
import { type Entry, inChain, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext, LedgerStore } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import { readDust } from './dust-days.ts';
import type { HistoryContext } from './history-store.ts';
import { assetsOf, flowsOf, openRequestsOf, receivedAssets } from './holder-flows.ts';
import { type Flow, holderSpans, type Span } from './holder-spans.ts';
import { readRecordedRates } from './rates.ts';

/**
 * The entries of a holder (lower-case 0x-hex) in the covered blocks, oldest first, and whether the contracts' state differs
 * from them. The dust of a day is one entry of each type. Throws UPSTREAM_UNAVAILABLE.
 */
export async function readHolderPast(ledger: LedgerStore, holder: string) {
  const { coverage, listedTo } = await ledger.progress.latest();
  const [entries, dust, doubts] = await Promise.all([
    ledger.between(subjectOf.holder(holder), coverage),
    readDust(ledger, holder, coverage, listedTo),
    ledger.progress.doubts(coverage.generation),
  ]);
  const all: Entry[] = [...entries, ...dust];
  return { entries: all.sort(inChain), coverage, isDoubted: isDoubted(doubts, holder, 'ggAvax') };
}

/** The flows of an address up to block `upTo`, and their totals in AVAX wei, without the sign. */
export function totalsOf(
  holder: string,
  { entries }: { entries: readonly Entry[] },
  withdrawQueue: string,
  upTo: number,
) {
  const known = entries.filter(({ block }) => block <= upTo);
  const flows = flowsOf(holder, known, withdrawQueue);
  const [received, openRequests] = [receivedAssets(known), openRequestsOf(holder, known)];
  return { flows, assets: assetsOf(flows), received, openRequests };
}

type SpansContext = HistoryContext & LedgerContext;

export function holderSpansDataset(holder: string): Dataset<Awaited<ReturnType<typeof readHolderSpans>>, SpansContext> {
  const read = (context: SpansContext) => readHolderSpans(context, holder);
  return { name: `ggAvaxSpans/${holder}`, freshSeconds: 300, read };
}

/** Every span in which the address held ggAVAX, known up to `until`. Empty while earlier blocks are not indexed. */
async function readHolderSpans(context: SpansContext, holder: string) {
  const [rates, past] = await Promise.all([readRecordedRates(context), readHolderPast(context.ledger, holder)]);
  const { coverage, isDoubted } = past;
  if (!coverage.complete) return { coverage, isDoubted, spans: [], until: { number: 0, timestamp: 0 } };
  const { flows } = totalsOf(holder, past, context.config.network.withdrawQueue, coverage.toBlock);
  const covered = rates.filter(({ block }) => block <= coverage.toBlock);
  const spans = holderSpans(flows, covered);
  const end = untilOf(flows, spans, coverage);
  const number = covered.findLast(({ time }) => time <= end)?.block ?? coverage.toBlock;
  const held = spans.filter(({ openShares, inflow }) => openShares !== 0n || inflow !== 0n);
  return { coverage, isDoubted, spans: held, until: { number, timestamp: end } };
}

/** The end of the last span (unix seconds), or 0 if none is recorded since the first flow; without flows, of the coverage. */
function untilOf([first]: readonly Flow[], spans: readonly Span[], { toTimestamp }: Coverage): number {
  if (!first) return toTimestamp;
  const end = spans.at(-1)?.close.time ?? 0;
  return first.time <= end ? end : 0;
}
