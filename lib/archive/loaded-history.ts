import { seriesOf, toRow } from '../history/history-store.ts';
import type { Interval } from '../history/series.ts';
import { addRow, type SeriesRows } from '../tables/memory-table.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { type Archive, readPoints, readSeries } from './read-kind.ts';

/** The protocol's points of an interval. */
export async function loadPoints(archive: Archive, interval: Interval): Promise<SeriesRows> {
  const loaded: SeriesRows = new Map();
  const series = seriesOf(archive.manifest.network, interval);
  for await (const points of readPoints(archive, interval))
    for (const point of points) addRow(loaded, series, toRow(series, point));
  return loaded;
}

/** The points of all other series. */
export async function loadSeries(archive: Archive): Promise<SeriesRows> {
  const loaded: SeriesRows = new Map();
  for (const kind of SERIES_KINDS) {
    for await (const { name, interval, points } of readSeries(archive, kind)) {
      const series = seriesOf(`${archive.manifest.network}#${name}`, interval);
      for (const point of points) addRow(loaded, series, toRow(series, point));
    }
  }
  return loaded;
}
