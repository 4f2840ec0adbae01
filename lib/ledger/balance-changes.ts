import { ZeroAddress } from 'ethers';
import type { EntryType } from './events/entry-types.ts';
import type { Entry } from './ledger-entry.ts';

/** The types that move ggAVAX (ledger-entry.ts). */
export const BALANCE_EVENTS: readonly EntryType[] = [
  'ggAvaxDeposited',
  'ggAvaxWithdrawn',
  'ggAvaxTransferred',
  'yieldAdded',
];

/** Changes of ggAVAX balances by an entry, in wei. */
export function listChanges(entry: Entry): [address: string, change: bigint][] {
  switch (entry.type) {
    case 'ggAvaxDeposited':
      return [[entry.owner, entry.shares]];
    case 'ggAvaxWithdrawn':
      return [[entry.owner, -entry.shares]];
    case 'ggAvaxTransferred':
      if (entry.from === entry.to) return [];
      return [
        // Unless it is minted.
        ...(entry.from === ZeroAddress ? [] : [[entry.from, -entry.shares] as [string, bigint]]),
        [entry.to, entry.shares],
      ];
    case 'yieldAdded':
      return entry.donor ? [[entry.donor, -(entry.shares ?? 0n)]] : [];
    default:
      return [];
  }
}
