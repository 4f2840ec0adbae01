/**
 * `lib/history`: what the chain does not keep: prices and rates recorded every hour and day, and what follows from them,
 * such as yields. Functions that read it list `history` in their `reads`; only its recorder writes.
 */

import {
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { systemClock } from '../runtime/clock.ts';
import { perProcess } from '../runtime/context.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { putAll } from '../tables/batches.ts';
import { durableClient, tableUnavailable } from '../tables/durable.ts';
import { conditional } from '../tables/dynamodb.ts';
import { bigintIn, countIn, intact, type Row, type Warn } from '../tables/rows.ts';
import type { Point, PointValues } from './point.ts';
import { END_OF_TIME, type Interval } from './series.ts';

/**
 * Recorded points in DynamoDB: one item per boundary, in the series of its network and interval. An item is written
 * once and never changes, so two recorders at once, or a repeated run, do no harm.
 */

/** The process's history store. */
export const historyOf = perProcess(
  'history',
  ({ config, telemetry }) =>
    new HistoryStore(durableClient(), config.historyTable, config.network.name, telemetry.warn),
);

export class HistoryStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #network: string;
  readonly #warn: Warn;

  /** `network` separates networks that share a table; `warn` is told of damaged rows. */
  constructor(client: DynamoDBClient, table: string, network: string, warn: Warn = () => {}) {
    this.#client = client;
    this.#table = table;
    this.#network = network;
    this.#warn = warn;
  }

  /** The store of a separate series, a validator's for example. */
  of(name: string): HistoryStore {
    return new HistoryStore(this.#client, this.#table, `${this.#network}#${name}`, this.#warn);
  }

  /** The points from `from` to `to`, both included, oldest first. Throws UPSTREAM_UNAVAILABLE if the table is down. */
  async points(interval: Interval, from: number, to: number): Promise<Point[]> {
    return intact(await this.#query(interval, from, to), toPoint, this.#warn);
  }

  /** The newest point from `from` to `to`, both included, if there is one. Throws like {@link points}. */
  async newest(interval: Interval, from: number, to: number): Promise<Point | undefined> {
    const [item] = await this.#query(interval, from, to, { ScanIndexForward: false, Limit: 1 });
    if (!item) return undefined;
    const [point] = intact([item], toPoint, this.#warn);
    return point ?? this.newest(interval, from, toTimestamp(item) - 1);
  }

  /** The last points, at most `count`, the newest first. Throws like {@link points}. */
  async last(interval: Interval, count: number): Promise<Point[]> {
    const items = await this.#query(interval, 0, END_OF_TIME, { ScanIndexForward: false, Limit: count });
    return intact(items, toPoint, this.#warn);
  }

  /** The boundary of the oldest point, if there is one. Throws like {@link points}. */
  async recordedFrom(interval: Interval): Promise<number | undefined> {
    const [item] = await this.#query(interval, 0, END_OF_TIME, { ProjectionExpression: '#timestamp', Limit: 1 });
    return ifKnown(toTimestamp, item);
  }

  /**
   * The names of the separate series ({@link of}), in no particular order. One request for each, however long it is: the scan goes
   * on behind the last key that a series can have.
   */
  async names(): Promise<string[]> {
    const series: string[] = [];
    let last: string | undefined;
    do {
      const { Items = [] } = await this.#scan(last);
      last = Items[0]?.series?.S;
      if (last) series.push(last);
    } while (last);
    const own = series.filter((key) => key.startsWith(`${this.#network}#`));
    const names = own.map((key) => key.slice(this.#network.length + 1, key.lastIndexOf('#')));
    return [...new Set(names.filter((name) => name !== ''))];
  }

  /** Only the boundaries of these points. */
  async timestamps(interval: Interval, from: number, to: number): Promise<number[]> {
    const items = await this.#query(interval, from, to, { ProjectionExpression: '#timestamp' });
    return items.map(toTimestamp);
  }

  /** Writes a point. False if there is one already, which then stays. */
  write(interval: Interval, point: Point): Promise<boolean> {
    return conditional(
      this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: toItem(this.#seriesOf(interval), point),
          ConditionExpression: 'attribute_not_exists(series)',
        }),
      ),
    );
  }

  /** The first item of the series that follows one, in the table's own order. */
  async #scan(last: string | undefined) {
    const behind = last === undefined ? undefined : { series: { S: last }, timestamp: { N: String(END_OF_TIME) } };
    const command = new ScanCommand({ TableName: this.#table, Limit: 1, ExclusiveStartKey: behind });
    try {
      return await this.#client.send(command);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /** Writes points in batches, whether or not they exist. Throws what the table throws. */
  writeAll(interval: Interval, points: readonly Point[]): Promise<void> {
    const table = { client: this.#client, name: this.#table, clock: systemClock };
    return putAll(
      table,
      points.map((point) => toItem(this.#seriesOf(interval), point)),
    );
  }

  /** The items of a range; with a `Limit`, no more than that. */
  async #query(interval: Interval, from: number, to: number, options: Partial<QueryCommandInput> = {}): Promise<Row[]> {
    // DynamoDB refuses a range whose end is before its start.
    if (from > to) return [];
    const items: Row[] = [];
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'series = :series AND #timestamp BETWEEN :from AND :to',
        ...options,
        ExpressionAttributeNames: { '#timestamp': 'timestamp' },
        ExpressionAttributeValues: {
          ':series': { S: this.#seriesOf(interval) },
          ':from': { N: String(from) },
          ':to': { N: String(to) },
        },
      },
    );
    try {
      for await (const { Items = [] } of pages) {
        items.push(...Items);
        if (items.length >= (options.Limit ?? Number.POSITIVE_INFINITY)) break;
      }
    } catch (cause) {
      throw unavailable(cause);
    }
    return items;
  }

  #seriesOf(interval: Interval): string {
    return seriesOf(this.#network, interval);
  }
}

/** The partition key of a series. */
export function seriesOf(network: string, interval: string): string {
  return `${network}#${interval}`;
}

function unavailable(cause: unknown) {
  return tableUnavailable('The recorded history could not be read. Please try again shortly.', cause);
}

/** Values are stored as strings: DynamoDB's numbers end at 38 digits, and people can read strings in its console. */
export function toItem(series: string, { timestamp, block, values }: Point): Row {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    series: { S: series },
    timestamp: { N: String(timestamp) },
    block: { N: String(block.number) },
    blockTimestamp: { N: String(block.timestamp) },
    values: { M: Object.fromEntries(known.map(([name, value]) => [name, { S: String(value) }])) },
  };
}

function toTimestamp({ timestamp }: Row): number {
  return Number(timestamp?.N);
}

/** Throws if an attribute is missing or has another form. */
function toPoint({ timestamp, block, blockTimestamp, values }: Row): Point {
  if (!values?.M) throw new RangeError('no values');
  return {
    timestamp: countIn(timestamp),
    block: { number: countIn(block), timestamp: countIn(blockTimestamp) },
    values: Object.fromEntries(Object.entries(values.M).map(([name, value]) => [name, bigintIn(value)])) as PointValues,
  };
}
