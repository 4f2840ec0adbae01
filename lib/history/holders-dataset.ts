import type { Dataset } from '../cache/cache.ts';
import { BALANCE_EVENTS, listChanges } from '../ledger/balance-changes.ts';
import { type Coverage, coverageAt } from '../ledger/coverage.ts';
import { type Entry, subjectOf, typedSubject } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { stored } from '../values/units.ts';
import { type ListedHolder, readHolderList } from './holder-list.ts';

const { address, ggAvax, unixTime } = stored;

/** A holder of ggAVAX: an address whose balance, the sum of its ledger entries, is above 0. */
export type Holder = Omit<ListedHolder, 'block'>;

export const HOLDER_FIELDS = {
  address: address('Address of the holder.'),
  ggAvax: ggAvax('ggAVAX held.'),
  since: unixTime('When the address first held ggAVAX.'),
};

/** Most seconds by which the list may be behind, as it is while it is made for the first time. */
const MAX_BEHIND_SECONDS = 600;

/** The largest holders first; none while earlier blocks are not indexed. The coverage ends with the list of holders. */
export const holdersDataset: Dataset<{ coverage: Coverage; holders: Holder[] }, LedgerContext> = {
  name: 'holders',
  freshSeconds: 300,
  async read({ ledger }) {
    const { coverage, listedTo } = await ledger.progress.latest();
    const listed = await readHolderList(ledger, coverage.generation);
    // While the list is brought up to date, and in an export, rows may be ahead.
    const isWhole = listedTo !== undefined && listed.every(({ block }) => block <= listedTo.number);
    if (isWhole && coverage.toTimestamp - listedTo.timestamp <= MAX_BEHIND_SECONDS)
      return { coverage: coverageAt(listedTo, coverage), holders: inOrder(listed) };
    if (!coverage.complete) return { coverage, holders: [] };
    const entries = await Promise.all(
      BALANCE_EVENTS.map((type) => ledger.between(typedSubject(subjectOf.protocol, type), coverage)),
    );
    return { coverage, holders: holdersOf(entries.flat()) };
  },
};

/** The holders of ggAVAX after these entries, which may come in any order: a balance is only their sum. */
export function holdersOf(entries: readonly Entry[]): Holder[] {
  const balances = new Map<string, Holder>();
  for (const entry of entries) {
    for (const [address, change] of listChanges(entry)) {
      const known = balances.get(address) ?? { address, shares: 0n, since: Number.POSITIVE_INFINITY };
      const since = change > 0n ? Math.min(known.since, entry.timestamp) : known.since;
      balances.set(address, { ...known, shares: known.shares + change, since });
    }
  }
  return inOrder([...balances.values()]);
}

/** The largest balance first; of equal balances, the earliest holder. */
function inOrder(holders: readonly Holder[]): Holder[] {
  return holders
    .filter(({ shares }) => shares > 0n)
    .map(({ address, shares, since }) => ({ address, shares, since }))
    .sort((a, b) => Number(b.shares > a.shares) - Number(b.shares < a.shares) || a.since - b.since);
}
