import type { Dataset } from '../cache/dataset.ts';
import { BALANCE_EVENTS, listChanges } from '../ledger/balance-changes.ts';
import { type Coverage, confirmedPart } from '../ledger/coverage.ts';
import type { ListedHolder } from '../ledger/holder-list.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import { blocksOf, type LedgerContext } from '../ledger/ledger-store.ts';
import { GG_AVAX } from '../ledger/mismatches.ts';
import { address, ggAvax, unixTime } from '../values/units.ts';

/** A holder of ggAVAX: an address whose balance, the sum of its ledger entries, is above 0. */
export type Holder = Omit<ListedHolder, 'until'>;

/** The published fields of a holder. */
export const HOLDER_FIELDS = {
  address: address('Address of the holder.'),
  ggAvax: ggAvax('ggAVAX held.'),
  since: unixTime('When the address first held ggAVAX.'),
};

interface Holders {
  /** The confirmed part. */
  coverage: Coverage;
  /** The largest first. Empty while nothing is confirmed. */
  holders: Holder[];
}

export const holdersDataset: Dataset<Holders, LedgerContext> = {
  name: 'holders',
  freshSeconds: 300,
  async read(context) {
    const { ledger } = context;
    // The list's progress is read before the list: so each entry is in the list, or is read after it.
    const { list, listedTo, coverageOf } = await ledger.progress.latest();
    const listed = await ledger.holders.read(list);
    const searched = coverageOf(GG_AVAX);
    const coverage = confirmedPart(searched);
    if (!coverage) return { coverage: searched, holders: [] };
    // Listed changes of uncovered blocks cannot be undone. Such a block may have the time of the last covered block.
    const { toTimestamp } = coverage;
    const isCovered = listed.every(({ until }) => until < toTimestamp);
    const [since, earlier] = listedTo !== undefined && isCovered ? [listedTo + 1, listed] : [0, []];
    const later = await Promise.all(
      BALANCE_EVENTS.map((type) => ledger.between(subjectOf.type(type), blocksOf(coverage), since)),
    );
    return { coverage, holders: holdersOf(later.flat(), earlier) };
  },
};

/**
 * The holders of ggAVAX after these entries, including holders that are already in the list. The largest balance comes first;
 * of equal balances, the earliest holder.
 */
export function holdersOf(entries: readonly Entry[], listed: readonly ListedHolder[] = []): Holder[] {
  const balances: Balances = new Map(listed.map((holder) => [holder.address, holder]));
  for (const entry of entries) addTo(balances, entry);
  return holdersIn(balances);
}

/** Balances by address, to which entries are added one by one. Entries up to `until` (unix seconds) are included. */
export type Balances = Map<string, Holder & { until?: number }>;

/** Adds an entry. Entries may come in any order: a balance is only their sum. */
export function addTo(balances: Balances, entry: Entry): void {
  for (const [address, change] of listChanges(entry)) {
    if (change === 0n) continue;
    const known = balances.get(address) ?? { address, shares: 0n, since: Number.POSITIVE_INFINITY };
    if (known.until !== undefined && entry.timestamp <= known.until) continue;
    const since = change > 0n ? Math.min(known.since, entry.timestamp) : known.since;
    balances.set(address, { ...known, shares: known.shares + change, since });
  }
}

/** The addresses with a balance above 0, sorted as by {@link holdersOf}. */
export function holdersIn(balances: Balances): Holder[] {
  return [...balances.values()]
    .filter(({ shares }) => shares > 0n)
    .map(({ address, shares, since }) => ({ address, shares, since }))
    .sort((a, b) => Number(b.shares > a.shares) - Number(b.shares < a.shares) || a.since - b.since);
}
