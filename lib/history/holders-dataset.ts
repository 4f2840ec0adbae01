import { ZeroAddress } from 'ethers';
import type { Dataset } from '../cache/dataset.ts';
import { type Entry, type EntryType, subjectOf } from '../ledger/ledger-entry.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import type { Coverage } from '../ledger/searched.ts';

/** Who holds ggAVAX, as the ledger's entries add up. */
export interface Holder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei, more than 0. */
  shares: bigint;
  /** When they first held any, unix seconds. */
  since: number;
}

interface Holders {
  coverage: Coverage;
  /** The largest first. Empty while the coverage is not complete. */
  holders: Holder[];
}

/** The types that move ggAVAX (lib/ledger/ledger-entry.ts). */
export const MOVES: readonly EntryType[] = ['ggAvaxDeposited', 'ggAvaxWithdrawn', 'ggAvaxTransferred', 'yieldAdded'];

export const holdersDataset: Dataset<Holders> = {
  name: 'holders',
  version: 1,
  freshSeconds: 300,
  inTable: false,
  async read(context) {
    const ledger = ledgerOf(context);
    const read = await Promise.all(MOVES.map((type) => ledger.all(subjectOf.type(type))));
    const { coverage } = read.reduce((least, one) => (one.coverage.to < least.coverage.to ? one : least));
    const entries = read.flatMap(({ entries }) => entries).filter(({ block }) => block <= coverage.to);
    return { coverage, holders: coverage.complete ? holdersOf(entries) : [] };
  },
};

/** Who holds ggAVAX after these entries, the largest first, and the earliest of those who hold the same. */
export function holdersOf(entries: readonly Entry[]): Holder[] {
  const balances: Balances = new Map();
  for (const entry of entries) addTo(balances, entry);
  return holdersIn(balances);
}

/** What entries that were added one by one add up to, by address. */
export type Balances = Map<string, Holder>;

/** Adds an entry. Entries may come in any order: a balance is only what they add up to. */
export function addTo(balances: Balances, entry: Entry): void {
  for (const [address, change] of changesOf(entry)) {
    if (address === ZeroAddress || change === 0n) continue;
    const { shares, since } = balances.get(address) ?? { shares: 0n, since: Number.POSITIVE_INFINITY };
    const first = change > 0n ? Math.min(since, entry.timestamp) : since;
    balances.set(address, { address, shares: shares + change, since: first });
  }
}

/** Who holds any, sorted as {@link holdersOf}. */
export function holdersIn(balances: Balances): Holder[] {
  return [...balances.values()]
    .filter(({ shares }) => shares > 0n)
    .sort((a, b) => Number(b.shares > a.shares) - Number(b.shares < a.shares) || a.since - b.since);
}

/** By how much an entry changes whose ggAVAX, in wei. */
function changesOf(entry: Entry): [address: string, change: bigint][] {
  switch (entry.type) {
    case 'ggAvaxDeposited':
      return [[entry.owner, entry.shares]];
    case 'ggAvaxWithdrawn':
      return [[entry.owner, -entry.shares]];
    case 'ggAvaxTransferred':
      return entry.from === entry.to
        ? []
        : [
            [entry.from, -entry.shares],
            [entry.to, entry.shares],
          ];
    case 'yieldAdded':
      return entry.donor ? [[entry.donor, -(entry.shares ?? 0n)]] : [];
    default:
      return [];
  }
}
