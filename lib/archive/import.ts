/**
 * Fills empty tables from an archive. An import may be killed at any moment: the ledger shows no imported event before the
 * last step, and the same archive can be imported again, over the rows already written.
 */

import { hash } from 'node:crypto';
import type { Services } from '../api/services.ts';
import { INTERVALS, type Interval } from '../history/series.ts';
import { LEDGER_VERSION } from '../ledger/rows.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { EVENTS, toEntry } from './kinds/events.ts';
import { POINT_KINDS } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { ArchiveError, type Manifest, manifestText } from './manifest.ts';
import { type Archive, readPoints, readSeries, readTable } from './read-table.ts';
import type { SeriesTableSpec } from './table-spec.ts';

type OnRows = (count: number) => void;

/**
 * Imports the archive in a folder, whose files have been verified. Throws an {@link ArchiveError} if it is of another
 * network or ledger, or if the tables are not empty.
 */
export async function importArchive(
  context: Services,
  folder: string,
  manifest: Manifest,
  onRows: OnRows = () => {},
): Promise<void> {
  const archive = { folder, manifest };
  requireSameForm(context.config, manifest);
  const source = hash('sha256', manifestText(manifest));
  await begin(context, source);
  await importEvents(context, archive, onRows);
  for (const interval of INTERVALS) await importPoints(context, archive, interval, onRows);
  for (const kind of SERIES_KINDS) await importSeries(context, archive, kind, onRows);
  const { version: _, ...search } = manifest.ledger;
  if (!(await context.ledger.progress.finishImport(source, search)))
    throw new ArchiveError(
      `a recorder has written the ledger during the import: stop it, empty the tables and try again`,
    );
}

/** Throws an {@link ArchiveError} if the archive is of another network, or of a release with another ledger. */
export function requireSameForm({ network }: Services['config'], manifest: Manifest): void {
  if (manifest.network !== network.name)
    throw new ArchiveError(`the archive is of ${manifest.network}, and NETWORK is ${network.name}`);
  if (manifest.ledger.version !== LEDGER_VERSION)
    throw new ArchiveError(
      `the archive's events have version ${manifest.ledger.version}, and this release has ${LEDGER_VERSION}: use commit ${manifest.commit}`,
    );
}

/** Throws an {@link ArchiveError} if the tables hold anything but an unfinished import of the same archive. */
async function begin(context: Services, source: string): Promise<void> {
  const { progress } = context.ledger;
  const { ledgerTable, historyTable } = context.config;
  const { importing } = await progress.read();
  const points = await Promise.all(INTERVALS.map((interval) => context.history.newest(interval, 0, END_OF_TIME)));
  if (!importing && points.some((point) => point)) throw notEmpty(historyTable);
  if (!(await progress.beginImport(source))) throw notEmpty(ledgerTable);
}

function notEmpty(table: string): ArchiveError {
  return new ArchiveError(
    `the table ${table} is not empty, or holds an unfinished import of another archive; an archive is imported into empty tables`,
  );
}

async function importEvents(context: Services, archive: Archive, onRows: OnRows): Promise<void> {
  const { ledger } = context;
  for await (const rows of readTable(archive, EVENTS)) {
    await ledger.write(rows.map(toEntry));
    onRows(rows.length);
  }
}

async function importPoints(context: Services, archive: Archive, interval: Interval, onRows: OnRows): Promise<void> {
  for await (const points of readPoints(archive, interval)) {
    await context.history.writeAll(interval, points);
    onRows(points.length * POINT_KINDS[interval].length);
  }
}

async function importSeries(context: Services, archive: Archive, kind: SeriesTableSpec, onRows: OnRows): Promise<void> {
  for await (const { name, interval, points } of readSeries(archive, kind)) {
    await context.history.of(name).writeAll(interval, points);
    onRows(points.length);
  }
}
