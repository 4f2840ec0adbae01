import { seriesOf, toItem } from '../history/history-store.ts';
import type { Point } from '../history/point.ts';
import type { Interval } from '../history/series.ts';
import type { ArchivedTable, Partition } from './archived-tables.ts';
import { pointOf } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import { type Archive, readKind, readPoints } from './read-kind.ts';

/** The points of each series, by its key in the table. */
export type LoadedPoints = ReadonlyMap<string, Point[]>;

/** The history's table, loaded from an archive. `whenLoaded` are its parts: a series is looked for in all of them. */
export function loadedHistory(whenLoaded: readonly Promise<LoadedPoints>[]): ArchivedTable {
  return {
    sortKey: 'timestamp',
    async partition(series) {
      for (const loading of whenLoaded) {
        const points = (await loading).get(series);
        if (points) return partitionOf(series, points);
      }
      return undefined;
    },
  };
}

/** The protocol's points of an interval. */
export async function loadPoints(archive: Archive, interval: Interval): Promise<LoadedPoints> {
  const points: Point[] = [];
  for await (const rows of readPoints(archive, interval)) points.push(...rows.map(pointOf));
  return new Map([[seriesOf(archive.manifest.network, interval), points]]);
}

/** The points of all other series. */
export async function loadSeries(archive: Archive): Promise<LoadedPoints> {
  const { network } = archive.manifest;
  const loaded = new Map<string, Point[]>();
  for (const kind of SERIES_KINDS) {
    for await (const rows of readKind(archive, kind)) {
      for (const row of rows) {
        const { name, interval } = kind.seriesOf(row);
        const key = seriesOf(`${network}#${name}`, interval);
        const known = loaded.get(key) ?? [];
        known.push(kind.pointOf(row));
        loaded.set(key, known);
      }
    }
  }
  return loaded;
}

function partitionOf(series: string, points: readonly Point[]): Partition {
  const at = (place: number) => points[place] as Point;
  return {
    length: points.length,
    sortKey: (place) => at(place).timestamp,
    item: (place) => toItem(series, at(place)),
  };
}
