import { hash } from 'node:crypto';
import { join } from 'node:path';
import { historyOf } from '../history/history-store.ts';
import { FAR, INTERVALS, type Interval } from '../history/series.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import { LEDGER_VERSION } from '../ledger/rows.ts';
import type { Context } from '../runtime/context.ts';
import type { Row } from './column.ts';
import type { Kind } from './kind.ts';
import { EVENTS, entryOf } from './kinds/events.ts';
import { POINT_KINDS, pointOf } from './kinds/points.ts';
import { VALIDATORS_HISTORY, pointOf as validatorPoint } from './kinds/validators.ts';
import { ArchiveError, type ArchiveFile, type Manifest, manifestText } from './manifest.ts';
import { readParquet } from './parquet-file.ts';

/**
 * Fills empty tables from an archive. An import may be killed at any moment: the ledger shows nothing of it until its
 * last step, and the same archive can be imported again, over what is there.
 */

/** Rows written at once. */
const ROWS = 1_000;

/** The rows of a kind, some at a time. */
type Rows = AsyncGenerator<Row[], undefined>;
type RowsOf = (kind: Kind) => Rows;

/**
 * Imports the archive in a folder, whose files have been verified. Throws an {@link ArchiveError} if it is of another
 * network or ledger, or if the tables are not empty.
 */
export async function importArchive(
  context: Context,
  folder: string,
  manifest: Manifest,
  onRows: (count: number) => void = () => {},
): Promise<void> {
  const { network } = context.config;
  if (manifest.network !== network.name)
    throw new ArchiveError(`the archive is of ${manifest.network}, and NETWORK is ${network.name}`);
  if (manifest.ledger.version !== LEDGER_VERSION)
    throw new ArchiveError(
      `the archive's events have version ${manifest.ledger.version}, and this release writes ${LEDGER_VERSION}: import it with commit ${manifest.commit}`,
    );
  const source = hash('sha256', manifestText(manifest));
  await begin(context, source);
  const rowsOf = (kind: Kind) => readKind(folder, manifest, kind, onRows);
  await importEvents(context, rowsOf);
  for (const interval of INTERVALS) await importPoints(context, rowsOf, interval);
  await importValidators(context, rowsOf);
  const { version: _, ...search } = manifest.ledger;
  if (!(await ledgerOf(context).searched.finishImport(source, { first: undefined, ...search })))
    throw new ArchiveError(
      `a recorder has written the ledger during the import: stop it, empty the tables and try again`,
    );
}

/** The kinds that the tables are filled from. */
const IMPORTED: readonly Kind[] = [
  EVENTS,
  ...INTERVALS.flatMap((interval) => POINT_KINDS[interval]),
  VALIDATORS_HISTORY,
];

/** The files that an import reads. */
export function importedFiles({ files }: Manifest): ArchiveFile[] {
  return files.filter(
    ({ kind, name }) => name.endsWith('.parquet') && IMPORTED.some((imported) => imported.name === kind),
  );
}

async function* readKind(folder: string, manifest: Manifest, kind: Kind, onRows: (count: number) => void): Rows {
  let rows: Row[] = [];
  for (const { name } of importedFiles(manifest).filter((file) => file.kind === kind.name)) {
    for await (const row of readParquet(join(folder, name), kind.columns)) {
      rows.push(row);
      if (rows.length === ROWS) {
        yield rows;
        onRows(rows.length);
        rows = [];
      }
    }
  }
  if (rows.length > 0) yield rows;
  onRows(rows.length);
  return undefined;
}

/** Throws an {@link ArchiveError} if the tables hold anything but an unfinished import of the same archive. */
async function begin(context: Context, source: string): Promise<void> {
  const { searched } = ledgerOf(context);
  const { ledgerTable, historyTable } = context.config;
  const { importing } = await searched.read();
  const points = await Promise.all(INTERVALS.map((interval) => historyOf(context).newest(interval, 0, FAR)));
  if (!importing && points.some((point) => point)) throw notEmpty(historyTable);
  if (!(await searched.beginImport(source))) throw notEmpty(ledgerTable);
}

function notEmpty(table: string): ArchiveError {
  return new ArchiveError(
    `the table ${table} is not empty, or holds an unfinished import of another archive; an archive is imported into empty tables`,
  );
}

async function importEvents(context: Context, rowsOf: RowsOf): Promise<void> {
  const ledger = ledgerOf(context);
  for await (const some of rowsOf(EVENTS)) await ledger.write(some.map(entryOf));
}

async function importPoints(context: Context, rowsOf: RowsOf, interval: Interval): Promise<void> {
  const history = historyOf(context);
  const [first, ...others] = POINT_KINDS[interval].map((kind) => rowsOf(kind)) as [Rows, ...Rows[]];
  for await (const some of first) {
    const more = await Promise.all(others.map(async (kind) => (await kind.next()).value as Row[]));
    const points = some.map((row, place) =>
      pointOf(Object.assign({}, row, ...more.map((kind) => sameAs(row, kind[place])))),
    );
    await history.writeAll(interval, points);
  }
}

/** The files of a point's values have the same rows. */
function sameAs({ timestamp }: Row, other: Row | undefined): Row {
  if (other?.timestamp !== timestamp) throw new ArchiveError('the files of points do not have the same rows');
  return other as Row;
}

async function importValidators(context: Context, rowsOf: RowsOf): Promise<void> {
  const history = historyOf(context);
  for await (const some of rowsOf(VALIDATORS_HISTORY)) {
    for (const [, same] of Map.groupBy(some, ({ nodeID, interval }) => `${nodeID} ${interval}`)) {
      const { nodeID, interval } = same[0] as Row;
      await history.of(nodeID as string).writeAll(interval as Interval, same.map(validatorPoint));
    }
  }
}
