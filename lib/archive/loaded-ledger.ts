import { type Entry, subjectsOf } from '../ledger/ledger-entry.ts';
import { keyOf, positionOf, toRow } from '../ledger/rows.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { ArchivedTable, Partition } from './archived-tables.ts';
import { EVENTS, entryOf } from './kinds/events.ts';
import { type Archive, readKind } from './read-kind.ts';

/** The ledger's table, loaded from an archive: each entry once, and for each subject the places of its entries. */
export function loadedLedger(archive: Archive, whenLoaded: Promise<LoadedEvents>): ArchivedTable {
  const { network, ledger } = archive.manifest;
  const { from, to, toTimestamp, settled = to, first, contracts } = ledger;
  const numbers = { from, to, first, settled, timedBlock: toTimestamp && to, timedAt: toTimestamp };
  const known = Object.entries(numbers).filter(([, value]) => value !== undefined);
  const search = {
    ...Object.fromEntries(known.map(([name, value]) => [name, { N: String(value) }])),
    ...(contracts.length > 0 && { contracts: { SS: contracts } }),
  };
  return {
    sortKey: 'position',
    single: (key) => (key === keyOf({ network }, 'search') ? search : undefined),
    async partition(key) {
      const { entries, places } = await whenLoaded;
      return ifKnown((ofSubject) => partitionOf(entries, ofSubject), places.get(key));
    },
  };
}

interface LoadedEvents {
  entries: Entry[];
  /** Of each subject's entries, by the subject's key in the table. */
  places: Map<string, number[]>;
}

/** All entries of an archive. Those of a million take some seconds. */
export async function loadEvents(archive: Archive): Promise<LoadedEvents> {
  const { network } = archive.manifest;
  const entries: Entry[] = [];
  const places = new Map<string, number[]>();
  for await (const rows of readKind(archive, EVENTS)) {
    for (const entry of rows.map(entryOf)) {
      const place = entries.push(entry) - 1;
      for (const subject of subjectsOf(entry)) {
        const key = keyOf({ network }, subject);
        const known = places.get(key);
        if (known) known.push(place);
        else places.set(key, [place]);
      }
    }
  }
  return { entries, places };
}

function partitionOf(entries: readonly Entry[], places: readonly number[]): Partition {
  const at = (place: number) => entries[places[place] as number] as Entry;
  return {
    length: places.length,
    sortKey: (place) => positionOf(at(place).block, at(place).logIndex),
    item: (place) => toRow(at(place)),
  };
}
