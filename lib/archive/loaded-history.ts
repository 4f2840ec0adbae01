import { seriesOf, toRow } from '../history/history-store.ts';
import type { Interval } from '../history/series.ts';
import { addRow, type SeriesRows } from '../tables/memory-table.ts';
import type { Row } from '../tables/series-table.ts';
import { POINTS } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { pointRows } from './point-row.ts';
import { type Archive, readKind, readPoints } from './read-kind.ts';

/** The protocol's points of an interval. */
export async function loadPoints(archive: Archive, interval: Interval): Promise<SeriesRows> {
  const series = seriesOf(archive.manifest.network, interval);
  const { pointOf } = pointRows(POINTS);
  const loaded: Row[] = [];
  for await (const rows of readPoints(archive, interval))
    loaded.push(...rows.map((row) => toRow(series, pointOf(row))));
  return new Map([[series, loaded]]);
}

/** The points of all other series. */
export async function loadSeries(archive: Archive): Promise<SeriesRows> {
  const loaded: SeriesRows = new Map();
  for (const kind of SERIES_KINDS) {
    const { pointOf } = pointRows(kind);
    for await (const rows of readKind(archive, kind)) {
      for (const row of rows) {
        const { name, interval } = kind.seriesOf(row);
        const series = seriesOf(`${archive.manifest.network}#${name}`, interval);
        addRow(loaded, series, toRow(series, pointOf(row)));
      }
    }
  }
  return loaded;
}
