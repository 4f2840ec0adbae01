import type { Dataset } from '../cache/dataset.ts';
import { BALANCE_EVENTS, changesOf } from '../ledger/balance-changes.ts';
import { type Coverage, confirmedPart } from '../ledger/coverage.ts';
import type { ListedHolder } from '../ledger/holder-list.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import { blocksOf, ledgerOf } from '../ledger/ledger-store.ts';
import { GG_AVAX } from '../ledger/mismatches.ts';
import { address, ggAvax, unixTime } from '../values/in-unit.ts';

/** Who holds ggAVAX, as the ledger's entries add up: more than 0. */
export type Holder = Omit<ListedHolder, 'until'>;

/** What is told of a holder. */
export const HOLDER_FIELDS = {
  address: address('Address of the holder.'),
  ggAvax: ggAvax('ggAVAX held.'),
  since: unixTime('When the address first held ggAVAX.'),
};

interface Holders {
  /** The confirmed part. */
  coverage: Coverage;
  /** The largest first. Empty while nothing is. */
  holders: Holder[];
}

export const holdersDataset: Dataset<Holders> = {
  name: 'holders',
  freshSeconds: 300,
  async read(context) {
    const ledger = ledgerOf(context);
    // How far the list has come is asked before it is read: so no entry is in neither.
    const { list, listedTo, coverageOf } = await ledger.progress.latest();
    const listed = await ledger.holders.read(list);
    const searched = coverageOf(GG_AVAX);
    const coverage = confirmedPart(searched);
    if (!coverage) return { coverage: searched, holders: [] };
    // Changes in blocks that are not covered cannot be taken back. One may have the time of the last one that is.
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
 * Who holds ggAVAX after these entries, of which some may be in the list already: the largest first, and the earliest
 * of those who hold the same.
 */
export function holdersOf(entries: readonly Entry[], listed: readonly ListedHolder[] = []): Holder[] {
  const balances: Balances = new Map(listed.map((holder) => [holder.address, holder]));
  for (const entry of entries) addTo(balances, entry);
  return holdersIn(balances);
}

/** What entries that were added one by one add up to, by address; those until `until` (unix seconds) are in it already. */
export type Balances = Map<string, Holder & { until?: number }>;

/** Adds an entry. Entries may come in any order: a balance is only what they add up to. */
export function addTo(balances: Balances, entry: Entry): void {
  for (const [address, change] of changesOf(entry)) {
    if (change === 0n) continue;
    const known = balances.get(address) ?? { address, shares: 0n, since: Number.POSITIVE_INFINITY };
    if (known.until !== undefined && entry.timestamp <= known.until) continue;
    const since = change > 0n ? Math.min(known.since, entry.timestamp) : known.since;
    balances.set(address, { ...known, shares: known.shares + change, since });
  }
}

/** Who holds any, sorted as {@link holdersOf}. */
export function holdersIn(balances: Balances): Holder[] {
  return [...balances.values()]
    .filter(({ shares }) => shares > 0n)
    .map(({ address, shares, since }) => ({ address, shares, since }))
    .sort((a, b) => Number(b.shares > a.shares) - Number(b.shares < a.shares) || a.since - b.since);
}
