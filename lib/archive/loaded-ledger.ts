import { subjectsOf } from '../ledger/ledger-entry.ts';
import { importedRow, SEARCH } from '../ledger/ledger-progress.ts';
import { keyOf, toRow } from '../ledger/rows.ts';
import { LEDGER } from '../tables/forms.ts';
import { addRow, MemoryTable, type SeriesRows } from '../tables/memory-table.ts';
import { EVENTS, entryOf } from './kinds/events.ts';
import type { Manifest } from './manifest.ts';
import { type Archive, readKind } from './read-kind.ts';

/** The ledger's table, loaded from an archive. What has been searched is known before its events are. */
export function loadedLedger({ network, ledger }: Manifest, events: Promise<SeriesRows>): MemoryTable {
  const search = { position: SEARCH.position, ...importedRow(ledger) };
  return new MemoryTable(LEDGER, new Map([[keyOf({ network }, SEARCH.subject), [search]]]), events);
}

/** All entries of an archive, each once: its subjects share it. Those of a million take some seconds. */
export async function loadEvents(archive: Archive): Promise<SeriesRows> {
  const { network } = archive.manifest;
  const loaded: SeriesRows = new Map();
  for await (const rows of readKind(archive, EVENTS)) {
    for (const entry of rows.map(entryOf)) {
      const row = toRow(entry);
      for (const subject of subjectsOf(entry)) addRow(loaded, keyOf({ network }, subject), row);
    }
  }
  return loaded;
}
