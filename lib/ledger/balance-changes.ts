import { ZeroAddress } from 'ethers';
import type { EntryType } from './events/entry-types.ts';
import type { Entry, EntryOf } from './ledger-entry.ts';

type Change = readonly [address: string, change: bigint];

/** Changes of ggAVAX balances, in wei, by the types of entries that move ggAVAX (ledger-entry.ts). */
export const BALANCE_CHANGES: { [Type in EntryType]?: (entry: EntryOf<Type>) => Change[] } = {
  ggAvaxDeposited: ({ owner, shares }) => [[owner, shares]],
  ggAvaxWithdrawn: ({ owner, shares }) => [[owner, -shares]],
  ggAvaxTransferred: ({ from, to, shares }) => {
    if (from === to) return [];
    // A transfer from the zero address is a mint.
    return from === ZeroAddress
      ? [[to, shares]]
      : [
          [from, -shares],
          [to, shares],
        ];
  },
  yieldAdded: ({ donor, shares = 0n }) => (donor ? [[donor, -shares]] : []),
};

export const BALANCE_EVENTS = Object.keys(BALANCE_CHANGES) as EntryType[];

export function listChanges(entry: Entry): Change[] {
  const changesOf = BALANCE_CHANGES[entry.type] as ((entry: Entry) => Change[]) | undefined;
  return changesOf?.(entry) ?? [];
}
