import { seriesOf, toItem } from '../history/history-store.ts';
import type { Point } from '../history/point.ts';
import type { Interval } from '../history/series.ts';
import type { ArchivedTable, Partition } from './archived-tables.ts';
import { pointOf } from './kinds/points.ts';
import { VALIDATORS_HISTORY, pointOf as validatorPoint } from './kinds/validators.ts';
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

/** The points of all validators. */
export async function loadValidators(archive: Archive): Promise<LoadedPoints> {
  const { network } = archive.manifest;
  const series = new Map<string, Point[]>();
  for await (const rows of readKind(archive, VALIDATORS_HISTORY)) {
    for (const row of rows) {
      const key = seriesOf(`${network}#${row.nodeID}`, row.interval as string);
      const known = series.get(key) ?? [];
      known.push(validatorPoint(row));
      series.set(key, known);
    }
  }
  return series;
}

function partitionOf(series: string, points: readonly Point[]): Partition {
  const at = (place: number) => points[place] as Point;
  return {
    length: points.length,
    sortKey: (place) => at(place).timestamp,
    item: (place) => toItem(series, at(place)),
  };
}
