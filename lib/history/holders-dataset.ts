import type { Dataset } from '../cache/dataset.ts';
import { BALANCE_EVENTS, listChanges } from '../ledger/balance-changes.ts';
import type { Coverage } from '../ledger/coverage.ts';
import type { ListedHolder } from '../ledger/holder-list.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { stored } from '../values/units.ts';

const { address, ggAvax, unixTime } = stored;

/** A holder of ggAVAX: an address whose balance, the sum of its ledger entries, is above 0. */
export type Holder = Omit<ListedHolder, 'block'>;

export const HOLDER_FIELDS = {
  address: address('Address of the holder.'),
  ggAvax: ggAvax('ggAVAX held.'),
  since: unixTime('When the address first held ggAVAX.'),
};

/** The largest holders first; none while earlier blocks are not indexed. */
export const holdersDataset: Dataset<{ coverage: Coverage; holders: Holder[] }, LedgerContext> = {
  name: 'holders',
  freshSeconds: 300,
  async read(context) {
    const { ledger } = context;
    // The state, the rows, the state again: each entry is in a row or read after it, and no row is ahead of the coverage.
    const { generation, listedTo } = await ledger.progress.latest();
    const listed = await ledger.holders.read(generation);
    const { coverage, generation: current } = await ledger.progress.latestUncached();
    if (current !== generation) return holdersDataset.read(context);
    if (!coverage.complete) return { coverage, holders: [] };
    // In an export, the list may be ahead.
    const isUsable = listed.every(({ block }) => block <= coverage.toBlock);
    const { number, timestamp } = (isUsable && listedTo) || { number: -1, timestamp: 0 };
    const blocks = { ...coverage, fromBlock: number + 1 };
    const later = await Promise.all(
      BALANCE_EVENTS.map((type) => ledger.between(subjectOf.type(type), blocks, timestamp)),
    );
    return { coverage, holders: holdersOf(later.flat(), isUsable ? listed : []) };
  },
};

/**
 * The holders of ggAVAX after these entries, including holders that are already in the list. The largest balance comes first;
 * of equal balances, the earliest holder.
 */
export function holdersOf(entries: readonly Entry[], listed: readonly ListedHolder[] = []): Holder[] {
  // Entries up to `block` are included. The others may come in any order: a balance is only their sum.
  const balances = new Map<string, Holder & { block?: number }>(listed.map((holder) => [holder.address, holder]));
  for (const entry of entries) {
    for (const [address, change] of listChanges(entry)) {
      const known = balances.get(address) ?? { address, shares: 0n, since: Number.POSITIVE_INFINITY };
      if (change === 0n || (known.block !== undefined && entry.block <= known.block)) continue;
      const since = change > 0n ? Math.min(known.since, entry.timestamp) : known.since;
      balances.set(address, { ...known, shares: known.shares + change, since });
    }
  }
  return [...balances.values()]
    .filter(({ shares }) => shares > 0n)
    .map(({ address, shares, since }) => ({ address, shares, since }))
    .sort((a, b) => Number(b.shares > a.shares) - Number(b.shares < a.shares) || a.since - b.since);
}
