import { type AttributeValue, DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { conditional } from '../cache/table.ts';
import { perProcess } from '../context.ts';
import { ApiError } from '../http/errors.ts';
import type { Point, PointValues } from './point.ts';
import type { Interval } from './series.ts';

/**
 * Recorded points in DynamoDB: one item a boundary, in the series of its network and interval. An item is written once and never
 * changes, so two recorders at once, or a run that is repeated, do no harm.
 */

type Item = Record<string, AttributeValue>;

/** A page of points takes about 20 ms; nothing else can answer, so it is waited for. */
const REQUEST_TIMEOUT_MS = 1_500;
const RETRY_AFTER_SECONDS = 5;

/** The process's store of history. */
export const historyOf = perProcess(
  ({ config }) =>
    new HistoryStore(
      new DynamoDBClient({
        requestHandler: {
          connectionTimeout: REQUEST_TIMEOUT_MS,
          requestTimeout: REQUEST_TIMEOUT_MS,
          throwOnRequestTimeout: true,
        },
      }),
      config.historyTable,
      config.network.name,
    ),
);

export class HistoryStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #network: string;

  /** `network` keeps the series of networks apart in one table. */
  constructor(client: DynamoDBClient, table: string, network: string) {
    this.#client = client;
    this.#table = table;
    this.#network = network;
  }

  /** The points from `from` to `to`, both included, the oldest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async points(interval: Interval, from: number, to: number): Promise<Point[]> {
    return (await this.#query(interval, from, to)).map(toPoint);
  }

  /** The boundaries of these points alone. */
  async timestamps(interval: Interval, from: number, to: number): Promise<number[]> {
    return (await this.#query(interval, from, to, '#timestamp')).map(({ timestamp }) => Number(timestamp?.N));
  }

  /** Writes a point. False if it was there already: then that one stays. */
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

  async #query(interval: Interval, from: number, to: number, projection?: string): Promise<Item[]> {
    const items: Item[] = [];
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'series = :series AND #timestamp BETWEEN :from AND :to',
        ProjectionExpression: projection,
        ExpressionAttributeNames: { '#timestamp': 'timestamp' },
        ExpressionAttributeValues: {
          ':series': { S: this.#seriesOf(interval) },
          ':from': { N: String(from) },
          ':to': { N: String(to) },
        },
      },
    );
    try {
      for await (const { Items = [] } of pages) items.push(...Items);
    } catch (cause) {
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'The recorded history could not be read. Please try again shortly.', {
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        cause,
      });
    }
    return items;
  }

  #seriesOf(interval: Interval): string {
    return `${this.#network}#${interval}`;
  }
}

/** Values are kept as text: DynamoDB's numbers end at 38 digits, and a text is what people can read in its console. */
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

function toPoint({ timestamp, block, blockTimestamp, values }: Item): Point {
  const texts = Object.entries(values?.M ?? {});
  return {
    timestamp: Number(timestamp?.N),
    block: { number: Number(block?.N), timestamp: Number(blockTimestamp?.N) },
    values: Object.fromEntries(texts.map(([name, { S }]) => [name, BigInt(S as string)])) as PointValues,
  };
}
