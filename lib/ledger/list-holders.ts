/** Updates the list of holders (`holder-list.ts`), once the protocol's whole history is indexed. */

import { listChanges } from './balance-changes.ts';
import type { HolderChange } from './holder-list.ts';
import { type Entry, subjectOf } from './ledger-entry.ts';
import type { LedgerStore } from './ledger-store.ts';
import { GG_AVAX } from './mismatches.ts';

/** Seconds by which the list may be behind: `/holders` reads the entries after it. */
const BEHIND_SECONDS = 86_400;
/** Number of changes after which the list's progress is stored. */
const CHANGES_OF_A_STEP = 1_000;

interface Listing {
  ledger: LedgerStore;
  /** False ends it after the current step. */
  mayGoOn: () => boolean | Promise<boolean>;
}

/** Adds the changes since the last update, if the list is a day or more behind. Throws what the table throws. */
export async function listHolders({ ledger, mayGoOn }: Listing): Promise<void> {
  const { blocks, list, listedTo = 0 } = await ledger.progress.read();
  if (!blocks) return;
  const { fromBlock, confirmed } = (await ledger.progress.latestUncached()).coverageOf(GG_AVAX);
  if (!confirmed || confirmed.timestamp - listedTo < BEHIND_SECONDS) return;
  // The last second may get more entries.
  const end = confirmed.timestamp - 1;

  let changes: HolderChange[] = [];
  const write = async (until: number) => {
    await ledger.holders.add(list, changes);
    await ledger.progress.setListedTo(list, until);
    changes = [];
  };
  let time = listedTo;
  for await (const page of ledger.pagesBetween(
    subjectOf.protocol,
    { from: fromBlock, to: confirmed.number },
    listedTo + 1,
  )) {
    for (const entry of page.filter(({ timestamp }) => timestamp <= end)) {
      if (changes.length >= CHANGES_OF_A_STEP && entry.timestamp > time) {
        await write(time);
        if (!(await mayGoOn())) return;
      }
      time = entry.timestamp;
      changes.push(...listed(entry));
    }
  }
  await write(end);
}

function listed(entry: Entry): HolderChange[] {
  const changes = listChanges(entry).map(([address, shares]) => ({ address, time: entry.timestamp, shares }));
  return changes.filter(({ shares }) => shares !== 0n);
}
