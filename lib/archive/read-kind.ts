/** Reads what the Parquet files of an archive hold, kind by kind. */

import { join } from 'node:path';
import type { Interval } from '../history/series.ts';
import type { Entry } from '../ledger/ledger-entry.ts';
import type { Column, Row } from './column.ts';
import type { Kind } from './kind.ts';
import { EVENTS, entryOf } from './kinds/events.ts';
import { POINT_KINDS } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { ArchiveError, type ArchiveFile, type Manifest } from './manifest.ts';
import { readParquet } from './parquet-file.ts';

/** Rows that are given together. */
const ROWS = 1_000;

/** An archive in a folder. */
export interface Archive {
  folder: string;
  manifest: Manifest;
}

/** The kinds that the tables are filled from. */
const OF_TABLES: readonly Kind[] = [EVENTS, ...POINT_KINDS['1h'], ...POINT_KINDS['1d'], ...SERIES_KINDS];

/** The files that hold what is in the tables. */
export function tableFiles({ files }: Manifest): ArchiveFile[] {
  return OF_TABLES.flatMap(({ name }) => parquetFiles(files, name));
}

/** The Parquet files of a kind, in the order of their rows. */
export function parquetFiles(files: readonly ArchiveFile[], kind: string): ArchiveFile[] {
  return files.filter((file) => file.kind === kind && file.name.endsWith('.parquet'));
}

/** The rows of a kind, some at a time. */
export async function* readKind({ folder, manifest }: Archive, { name: kind, columns }: Kind) {
  let rows: Row[] = [];
  for (const { name } of parquetFiles(manifest.files, kind)) {
    for await (const row of readParquet(join(folder, name), columns)) {
      rows.push(row);
      if (rows.length < ROWS) continue;
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}

/** The events of an archive, in order, with the values of these columns. */
export async function* eventsIn(
  folder: string,
  files: readonly ArchiveFile[],
  columns: readonly Column[] = EVENTS.columns,
): AsyncGenerator<Entry> {
  for (const { name } of parquetFiles(files, EVENTS.name)) {
    for await (const row of readParquet(join(folder, name), columns)) yield entryOf(row);
  }
}

/** The points of an interval, as rows with the values of all kinds, some at a time. */
export async function* readPoints(archive: Archive, interval: Interval) {
  const [first, ...others] = POINT_KINDS[interval].map((kind) => readKind(archive, kind)) as [Rows, ...Rows[]];
  for await (const some of first) {
    const more = await Promise.all(others.map(async (kind) => (await kind.next()).value as Row[]));
    yield some.map((row, place): Row => Object.assign({}, row, ...more.map((kind) => sameAs(row, kind[place]))));
  }
}

type Rows = ReturnType<typeof readKind>;

/** The files of a point's values have the same rows. */
function sameAs({ timestamp }: Row, other: Row | undefined): Row {
  if (other?.timestamp !== timestamp) throw new ArchiveError('the files of points do not have the same rows');
  return other as Row;
}
