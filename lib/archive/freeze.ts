import { Cache } from '../cache/cache.ts';
import { NO_TABLE } from '../cache/shared-store.ts';
import { cacheOf } from '../cache/table.ts';
import { HistoryStore, historyOf } from '../history/history-store.ts';
import { LedgerStore, ledgerOf } from '../ledger/ledger-store.ts';
import type { Config } from '../runtime/config.ts';
import { type Context, createContext, ENDPOINT_LIMITS } from '../runtime/context.ts';
import type { Frozen } from '../runtime/frozen.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { HISTORY } from '../tables/forms.ts';
import { MemoryTable } from '../tables/memory-table.ts';
import type { Row } from './column.ts';
import { requireSameForm } from './import.ts';
import { recordedIn, STATE } from './kinds/state.ts';
import { loadPoints, loadSeries } from './loaded-history.ts';
import { loadEvents, loadedLedger } from './loaded-ledger.ts';
import { ArchiveError } from './manifest.ts';
import { type Archive, parquetFiles, readKind, tableFiles } from './read-kind.ts';
import { verifyFiles } from './verify-files.ts';

/**
 * A context that answers everything from an archive in a folder. The state is read now; history and ledger are read
 * afterwards, in the background, and whoever asks for them meanwhile waits. `loaded` rejects if they cannot be read.
 * Throws an {@link ArchiveError} if the archive cannot be used.
 */
export async function freeze(
  config: Config,
  telemetry: Telemetry,
  archive: Archive,
): Promise<{ context: Context; loaded: Promise<unknown> }> {
  const { name } = config.network;
  requireSameForm(config, archive.manifest);
  const frozen = await readFrozen(archive);
  const context = createContext({ ...config, ...NO_SOURCES }, telemetry, ENDPOINT_LIMITS, frozen);
  cacheOf.replace(context, new Cache(name, NO_TABLE, telemetry));
  const checked = verifyFiles(archive.folder, tableFiles(archive.manifest));
  const days = checked.then(() => loadPoints(archive, '1d'));
  const hours = days.then(() => loadPoints(archive, '1h'));
  const series = hours.then(() => loadSeries(archive));
  const events = series.then(() => loadEvents(archive));
  // Handled here so that Node does not abort: readers await the same promises.
  for (const loading of [days, hours, series, events]) loading.catch(() => {});
  historyOf.replace(context, new HistoryStore(new MemoryTable(HISTORY, days, hours, series), name));
  ledgerOf.replace(context, new LedgerStore(loadedLedger(archive.manifest, events), name));
  return { context, loaded: events };
}

/** No upstreams: every other source is empty. */
const NO_SOURCES = { rpcUrls: [], pChainUrls: [], dataApiUrl: '' };

/** What was recorded of the state. Throws an {@link ArchiveError} if the archive has none, or it is damaged. */
export async function readFrozen(archive: Archive): Promise<Frozen> {
  const { folder, manifest } = archive;
  const files = parquetFiles(manifest.files, STATE.name);
  if (files.length === 0)
    throw new ArchiveError(
      `${folder}: holds no ${STATE.name}, because the chain could not be read when it was made; it can be imported, but not served`,
    );
  await verifyFiles(folder, files);
  const rows: Row[] = [];
  for await (const some of readKind(archive, STATE)) rows.push(...some);
  try {
    return { block: manifest.block, ...recordedIn(rows) };
  } catch (cause) {
    throw new ArchiveError(`${STATE.name}: cannot be read`, { cause });
  }
}
