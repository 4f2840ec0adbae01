import type { Services } from '../api/services.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { Point } from '../history/point.ts';
import { INTERVAL_SECONDS, INTERVALS, type Interval } from '../history/series.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { Row } from './column.ts';
import { EVENTS, toRow as eventRow } from './kinds/events.ts';
import { POINT_KINDS, POINTS } from './kinds/points.ts';
import { SERIES_KINDS } from './kinds/series.ts';
import type { Manifest } from './manifest.ts';
import { pointRows } from './point-row.ts';
import type { SeriesTableSpec, TableSpec } from './table-spec.ts';

/** A source of rows. They are read once, and written into the files of one or more tables. */
export interface TableSource {
  name: string;
  kinds: readonly TableSpec[];
  /** The rows, in order, in batches. `done` is the part of `total` that has been read so far. */
  read(): AsyncGenerator<{ rows: Row[]; done: number }>;
  total: number;
}

/** Number of points that are read at once. */
const AT_ONCE = 1_000;

/** The sources of everything in the tables. `ledger` is the range of blocks whose events are exported. */
export async function tableSources(context: Services, ledger: Manifest['ledger']): Promise<TableSource[]> {
  const { history } = context;
  const names = (await history.names()).sort();
  return [
    eventsSource(context, ledger),
    ...(await Promise.all(INTERVALS.map((interval) => pointsSource(history, interval)))),
    ...SERIES_KINDS.map((kind) => seriesSource(history, kind, names.filter(kind.holds))),
  ];
}

function eventsSource(context: Services, { from, to }: Manifest['ledger']): TableSource {
  return {
    name: 'events',
    kinds: [EVENTS],
    total: to - from + 1,
    async *read() {
      for await (const entries of context.ledger.pagesBetween(subjectOf.protocol, { from, to }))
        yield { rows: entries.map(eventRow), done: (entries.at(-1)?.block ?? to) - from + 1 };
      yield { rows: [], done: to - from + 1 };
    },
  };
}

async function pointsSource(history: HistoryStore, interval: Interval): Promise<TableSource> {
  const [newest, recordedFrom = 0] = await Promise.all([
    history.newest(interval, 0, END_OF_TIME),
    history.recordedFrom(interval),
  ]);
  const kinds = POINT_KINDS[interval];
  const seconds = INTERVAL_SECONDS[interval];
  const { rowOf: toRow } = pointRows(POINTS);
  const upTo = (point: Point | undefined) => (point ? (point.timestamp - recordedFrom) / seconds + 1 : 0);
  return {
    name: `history ${interval}`,
    kinds,
    total: upTo(newest),
    async *read() {
      for await (const points of readPages(history, interval))
        yield { rows: points.map(toRow), done: upTo(points.at(-1)) };
    },
  };
}

function seriesSource(history: HistoryStore, kind: SeriesTableSpec, names: readonly string[]): TableSource {
  const { rowOf: toRow } = pointRows(kind);
  return {
    name: kind.name,
    kinds: [kind],
    total: names.length,
    async *read() {
      for (const [place, name] of names.entries()) {
        for (const interval of kind.intervals) {
          for await (const points of readPages(history.of(name), interval))
            yield {
              rows: points.map((point) => ({ ...kind.cellsOf({ name, interval }), ...toRow(point) })),
              done: place,
            };
        }
      }
      yield { rows: [], done: names.length };
    },
  };
}

/** All points of a series, oldest first. */
async function* readPages(history: HistoryStore, interval: Interval): AsyncGenerator<Point[]> {
  const newest = await history.newest(interval, 0, END_OF_TIME);
  const seconds = AT_ONCE * INTERVAL_SECONDS[interval];
  const recordedFrom = await history.recordedFrom(interval);
  if (!newest || recordedFrom === undefined) return;
  let from = recordedFrom;
  while (from <= newest.timestamp) {
    yield await history.points(interval, from, Math.min(from + seconds - 1, newest.timestamp));
    from += seconds;
  }
}
