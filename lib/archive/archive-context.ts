import { createServices, type Services } from '../api/services.ts';
import { Cache } from '../cache/cache.ts';
import { NO_TABLE } from '../cache/shared-store.ts';
import { HistoryStore, seriesOf, toRow as toPointRow } from '../history/history-store.ts';
import { INTERVALS } from '../history/series.ts';
import { listSubjects } from '../ledger/ledger-entry.ts';
import { LedgerStore } from '../ledger/ledger-store.ts';
import { keyOf, toRow } from '../ledger/rows.ts';
import { importedRow, SEARCH } from '../ledger/search-row.ts';
import { RECORDER_LIMITS } from '../runtime/context.ts';
import { addRow, MemoryTable, type SeriesRows } from '../tables/memory-table.ts';
import { HISTORY, LEDGER } from '../tables/table-schemas.ts';
import { EVENTS, toEntry } from './kinds/events.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import type { Manifest } from './manifest.ts';
import { type Archive, readPoints, readSeries, readTable } from './read-table.ts';

/** Time in ms for optional parts. It is long, because an answer without its optional part would be kept for ever. */
const OPTIONAL_MS = 120_000;

/** Services whose latest block is `block`, with the tables of `context` or these. */
export function pinnedContext(
  { config, telemetry, clock }: Services,
  block: Manifest['block'],
  tables: Partial<Pick<Services, 'history' | 'ledger'>> = {},
): Services {
  const limits = { ...RECORDER_LIMITS, optionalMs: OPTIONAL_MS };
  const cache = new Cache(config.network.name, NO_TABLE, telemetry, clock);
  return createServices(config, telemetry, { clock, limits, pinned: block, cache, ...tables });
}

/**
 * Services that answer as of an archive's block. State is read from the chain; history and ledger are read from the
 * archive's own files, because the tables grow on. A million events take about a minute and 2 GB of memory.
 */
export async function archiveContext(context: Services, archive: Archive): Promise<Services> {
  const { name } = context.config.network;
  return pinnedContext(context, archive.manifest.block, {
    history: new HistoryStore(new MemoryTable(HISTORY, await loadHistory(archive)), name),
    ledger: new LedgerStore(new MemoryTable(LEDGER, await loadLedger(archive)), name),
  });
}

async function loadHistory(archive: Archive): Promise<SeriesRows> {
  const { network } = archive.manifest;
  const loaded: SeriesRows = new Map();
  for (const interval of INTERVALS) {
    const series = seriesOf(network, interval);
    for await (const points of readPoints(archive, interval))
      for (const point of points) addRow(loaded, series, toPointRow(series, point));
  }
  for (const kind of SERIES_KINDS) {
    for await (const { name, interval, points } of readSeries(archive, kind)) {
      const series = seriesOf(`${network}#${name}`, interval);
      for (const point of points) addRow(loaded, series, toPointRow(series, point));
    }
  }
  return loaded;
}

/** Loads the ledger of an archive into memory. All participants of an entry share one row object. */
export async function loadLedger(archive: Archive): Promise<SeriesRows> {
  const { network, ledger } = archive.manifest;
  const search = { position: SEARCH.position, ...importedRow(ledger) };
  const loaded: SeriesRows = new Map([[keyOf({ network }, SEARCH.subject), [search]]]);
  for await (const rows of readTable(archive, EVENTS)) {
    for (const entry of rows.map(toEntry)) {
      const row = toRow(entry);
      for (const subject of listSubjects(entry)) addRow(loaded, keyOf({ network }, subject), row);
    }
  }
  return loaded;
}
