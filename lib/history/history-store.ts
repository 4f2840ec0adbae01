/**
 * `lib/history`: what the chain does not keep: prices and rates recorded every hour and day, and what follows from them,
 * such as yields. Functions that read it list `history` in their `reads`; only its recorder writes.
 */

import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { perProcess } from '../runtime/context.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { durableClient, tableUnavailable } from '../tables/durable.ts';
import { conditional } from '../tables/dynamodb.ts';
import type { Point, PointValues } from './point.ts';
import { FAR, type Interval } from './series.ts';

/**
 * Recorded points in DynamoDB: one item per boundary, in the series of its network and interval. An item is written
 * once and never changes, so two recorders at once, or a repeated run, do no harm.
 */

type Item = Record<string, AttributeValue>;

/** The process's history store. */
export const historyOf = perProcess(
  'history',
  ({ config }) => new HistoryStore(durableClient(), config.historyTable, config.network.name),
);

export class HistoryStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #network: string;

  /** `network` separates networks that share a table. */
  constructor(client: DynamoDBClient, table: string, network: string) {
    this.#client = client;
    this.#table = table;
    this.#network = network;
  }

  /** The store of a separate series, a validator's for example. */
  of(name: string): HistoryStore {
    return new HistoryStore(this.#client, this.#table, `${this.#network}#${name}`);
  }

  /** The points from `from` to `to`, both included, oldest first. Throws UPSTREAM_UNAVAILABLE if the table is down. */
  async points(interval: Interval, from: number, to: number): Promise<Point[]> {
    return (await this.#query(interval, from, to)).map(toPoint);
  }

  /** The newest point from `from` to `to`, both included, if there is one. Throws like {@link points}. */
  async newest(interval: Interval, from: number, to: number): Promise<Point | undefined> {
    const [item] = await this.#query(interval, from, to, { ScanIndexForward: false, Limit: 1 });
    return item && toPoint(item);
  }

  /** The boundary of the oldest point, if there is one. Throws like {@link points}. */
  async recordedFrom(interval: Interval): Promise<number | undefined> {
    const [item] = await this.#query(interval, 0, FAR, { ProjectionExpression: '#timestamp', Limit: 1 });
    return ifKnown(toTimestamp, item);
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

  /** The items of a range; with a `Limit`, no more than that. */
  async #query(
    interval: Interval,
    from: number,
    to: number,
    options: Partial<QueryCommandInput> = {},
  ): Promise<Item[]> {
    // DynamoDB refuses a range whose end is before its start.
    if (from > to) return [];
    const items: Item[] = [];
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
      throw tableUnavailable('The recorded history could not be read. Please try again shortly.', cause);
    }
    return items;
  }

  #seriesOf(interval: Interval): string {
    return `${this.#network}#${interval}`;
  }
}

/** Values are stored as strings: DynamoDB's numbers end at 38 digits, and people can read strings in its console. */
function toItem(series: string, { timestamp, block, values }: Point): Item {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    series: { S: series },
    timestamp: { N: String(timestamp) },
    block: { N: String(block.number) },
    blockTimestamp: { N: String(block.timestamp) },
    values: { M: Object.fromEntries(known.map(([name, value]) => [name, { S: String(value) }])) },
  };
}

function toTimestamp({ timestamp }: Item): number {
  return Number(timestamp?.N);
}

function toPoint(item: Item): Point {
  const { block, blockTimestamp, values } = item;
  const texts = Object.entries(values?.M ?? {});
  return {
    timestamp: toTimestamp(item),
    block: { number: Number(block?.N), timestamp: Number(blockTimestamp?.N) },
    values: Object.fromEntries(texts.map(([name, { S }]) => [name, BigInt(S as string)])) as PointValues,
  };
}
