/** `lib/history`: prices and rates recorded every hour and day, and figures that follow from them. Only its recorder writes. */

import type { ChainContext } from '../chain/chain.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import { bigintIn, countIn, intact, valuesIn, type Warn } from '../tables/rows.ts';
import type { RangeOptions, Row, SeriesTable } from '../tables/series-table.ts';
import { HISTORY } from '../tables/table-schemas.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { Point } from './point.ts';
import type { PointValues } from './point-values.ts';
import type { Interval } from './series.ts';

/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 1_000;

export interface HistoryContext extends ChainContext {
  history: HistoryStore;
}

export function openHistory(context: Context): HistoryStore {
  const { historyTable, network } = context.config;
  return new HistoryStore(durableTable(historyTable, HISTORY, context), network.name, context.telemetry.warn);
}

/**
 * Recorded points: one row per boundary, in the series of its network and interval. A row is written once and never changes,
 * except for distributions, which are read again while providers disagree: two recorders at once, or a repeated run, do no harm.
 */
export class HistoryStore {
  readonly #table: SeriesTable;
  readonly #network: string;
  readonly #warn: Warn;

  /** `warn` is called for damaged rows. */
  constructor(table: SeriesTable, network: string, warn: Warn = () => {}) {
    this.#table = table;
    this.#network = network;
    this.#warn = warn;
  }

  of(name: string): HistoryStore {
    return new HistoryStore(this.#table, `${this.#network}#${name}`, this.#warn);
  }

  /** The points from `from` to `to`, both included, oldest first. Throws UPSTREAM_UNAVAILABLE if the table is down. */
  async points(interval: Interval, from: number, to: number): Promise<Point[]> {
    return intact(await this.#range(interval, from, to), toPoint, this.#warn);
  }

  /** Throws like {@link points}, of which it returns the newest. */
  async newest(interval: Interval, from: number, to: number): Promise<Point | undefined> {
    let end = to;
    // More rows per query after each that had only damaged ones: thousands of queries would exceed every deadline.
    for (let limit = 1; ; limit = Math.min(2 * limit, PAGE_ROWS)) {
      const rows = await this.#range(interval, from, end, { reverse: true, limit });
      const [point] = intact(rows, toPoint, this.#warn);
      if (point || rows.length < limit) return point;
      end = timestampOf(rows.at(-1) as Row) - 1;
    }
  }

  /** The boundary of the oldest point, if there is one. Throws like {@link points}. */
  async recordedFrom(interval: Interval): Promise<number | undefined> {
    const [row] = await this.#range(interval, 0, END_OF_TIME, { positionsOnly: true, limit: 1 });
    return row && timestampOf(row);
  }

  async timestamps(interval: Interval, from: number, to: number): Promise<number[]> {
    return (await this.#range(interval, from, to, { positionsOnly: true })).map(timestampOf);
  }

  /** Writes a point. False if there is one already: that one stays. */
  write(interval: Interval, point: Point): Promise<boolean> {
    return this.#table.putIfAbsent(pointRow(seriesOf(this.#network, interval), point));
  }

  /** Replaces points that exist. */
  writeAll(interval: Interval, points: readonly Point[]): Promise<void> {
    return this.#table.putAll(points.map((point) => pointRow(seriesOf(this.#network, interval), point)));
  }

  #range(interval: Interval, from: number, to: number, options?: RangeOptions): Promise<Row[]> {
    return this.#table.range(seriesOf(this.#network, interval), from, to, options);
  }
}

export function seriesOf(network: string, interval: string): string {
  return `${network}#${interval}`;
}

/** Values are stored as strings: DynamoDB's numbers end at 38 digits, and people can read strings in its console. */
export function pointRow(series: string, { timestamp, block, values }: Point): Row {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...{ series, timestamp, block: block.number, blockTimestamp: block.timestamp },
    values: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  };
}

function timestampOf({ timestamp }: Row): number {
  return Number(timestamp);
}

/** Throws if an attribute is missing or has another form. */
function toPoint({ timestamp, block, blockTimestamp, values }: Row): Point {
  return {
    timestamp: countIn(timestamp),
    block: { number: countIn(block), timestamp: countIn(blockTimestamp) },
    values: Object.fromEntries(
      Object.entries(valuesIn(values)).map(([name, value]) => [name, bigintIn(value)]),
    ) as PointValues,
  };
}
