/** Reads the Parquet files of an archive, kind by kind. */

import { join } from 'node:path';
import type { Point } from '../history/point.ts';
import type { Interval } from '../history/series.ts';
import type { Entry } from '../ledger/ledger-entry.ts';
import type { Column, Row } from './column.ts';
import { EVENTS, toEntry } from './kinds/events.ts';
import { POINT_KINDS, POINTS } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { ArchiveError, type ArchiveFile, type Manifest } from './manifest.ts';
import { readParquet } from './parquet-file.ts';
import { pointRows } from './point-row.ts';
import type { Series, SeriesTableSpec, TableSpec } from './table-spec.ts';

/** Number of rows in a batch. */
const ROWS = 1_000;

/** An archive in a folder. */
export interface Archive {
  folder: string;
  manifest: Manifest;
}

/** The kinds from which an import fills the tables. */
const OF_TABLES: readonly TableSpec[] = [EVENTS, ...POINT_KINDS['1h'], ...POINT_KINDS['1d'], ...SERIES_KINDS];

/** The Parquet files from which an import fills the tables. */
export function tableFiles({ files }: Manifest): ArchiveFile[] {
  return OF_TABLES.flatMap(({ name }) => parquetFiles(files, name));
}

/** The Parquet files of a kind, in the order of their rows. */
export function parquetFiles(files: readonly ArchiveFile[], kind: string): ArchiveFile[] {
  return files.filter((file) => file.kind === kind && file.name.endsWith('.parquet'));
}

/** The rows of a kind, in batches. */
export async function* readTable({ folder, manifest }: Archive, { name: kind, columns }: TableSpec) {
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
    for await (const row of readParquet(join(folder, name), columns)) yield toEntry(row);
  }
}

/** The protocol's points of an interval, in batches. Each point is joined from one row of each kind's files. */
export async function* readPoints(archive: Archive, interval: Interval): AsyncGenerator<Point[]> {
  const { pointOf } = pointRows(POINTS);
  const kinds = POINT_KINDS[interval].map((kind) => readTable(archive, kind));
  for (;;) {
    const parts = await Promise.all(kinds.map(async (kind) => ((await kind.next()).value ?? []) as Row[]));
    const [first = []] = parts;
    const isAlike = (rows: readonly Row[]) =>
      rows.length === first.length && rows.every(({ timestamp }, place) => timestamp === first[place]?.timestamp);
    if (!parts.every(isAlike)) throw new ArchiveError('the files of points do not have the same rows');
    if (first.length === 0) return;
    yield first.map((_, place) => pointOf(Object.assign({}, ...parts.map((rows) => rows[place]))));
  }
}

/** The points of a kind's series, in batches. All points of a batch are of one series. */
export async function* readSeries(
  archive: Archive,
  kind: SeriesTableSpec,
): AsyncGenerator<Series & { points: Point[] }> {
  const { pointOf } = pointRows(kind);
  const keyOf = (row: Row) => Object.values(kind.seriesOf(row)).join(' ');
  for await (const rows of readTable(archive, kind)) {
    for (const same of Map.groupBy(rows, keyOf).values())
      yield { ...kind.seriesOf(same[0] as Row), points: same.map(pointOf) };
  }
}
