import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { ApiError } from '../runtime/errors.ts';
import { inParallel } from '../runtime/parallel.ts';
import { chunked } from '../values/arrays.ts';
import { type Item, marshall, unmarshall } from './attributes.ts';
import { conditional, dynamoDB } from './dynamodb.ts';
import type { Position, RangeOptions, Row, SeriesTable, Value } from './series-table.ts';
import { orUnavailable, type TableSchema } from './table-schemas.ts';

const PARALLEL_WRITES = 8;
/** Maximum number of rows of a batch: DynamoDB's limit. */
const BATCH_ROWS = 25;
/** Maximum number of attempts at a batch, with pauses of about five seconds in all. */
const MAX_BATCH_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 40;
/** The attribute that counts the changes of a row: a change is only written to the version that it was made from. */
const VERSION = 'rowVersion';
/** Maximum number of attempts at an update: more than there are concurrent writers. */
const MAX_UPDATE_ATTEMPTS = 50;

/** A table that is the only source of its data: its client waits longer than the cache's. */
export function durableTable(name: string, schema: TableSchema, { limits, clock }: Pick<Context, 'limits' | 'clock'>) {
  return new DynamoTable(dynamoDB(limits.durableTableMs), name, schema, clock);
}

export class DynamoTable implements SeriesTable {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #schema: TableSchema;
  readonly #clock: Clock;

  constructor(client: DynamoDBClient, name: string, schema: TableSchema, clock: Clock = systemClock) {
    this.#client = client;
    this.#name = name;
    this.#schema = schema;
    this.#clock = clock;
  }

  async get(series: string, position: Position): Promise<Row | undefined> {
    const { [VERSION]: _, ...row } = (await this.#get(series, position, this.#schema.isConsistent)) ?? {};
    return Object.keys(row).length > 0 ? row : undefined;
  }

  async #get(series: string, position: Position, isConsistent: boolean): Promise<Row | undefined> {
    const key = { TableName: this.#name, Key: marshall(this.#key(series, position)), ConsistentRead: isConsistent };
    const { Item } = await orUnavailable(this.#schema, this.#client.send(new GetItemCommand(key)));
    return Item && unmarshall(Item);
  }

  async range(series: string, from: Position, to: Position, options: RangeOptions = {}): Promise<Row[]> {
    // DynamoDB refuses a range whose end is before its start.
    if (from > to) return [];
    const { limit = Number.POSITIVE_INFINITY, reverse = false, positionsOnly } = options;
    const rows: Row[] = [];
    let last: Item | undefined;
    do {
      const command = new QueryCommand({
        TableName: this.#name,
        ConsistentRead: this.#schema.isConsistent,
        KeyConditionExpression: '#series = :series AND #position BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#series': this.#schema.series, '#position': this.#schema.position },
        ExpressionAttributeValues: marshall({ ':series': series, ':from': from, ':to': to }),
        ScanIndexForward: !reverse,
        ...(positionsOnly && { ProjectionExpression: '#position' }),
        ...(limit < Number.POSITIVE_INFINITY && { Limit: limit - rows.length }),
        ...(last && { ExclusiveStartKey: last }),
      });
      const { Items = [], LastEvaluatedKey } = await orUnavailable(this.#schema, this.#client.send(command));
      for (const item of Items) rows.push(unmarshall(item));
      last = LastEvaluatedKey;
    } while (last && rows.length < limit);
    return rows;
  }

  putIfAbsent(row: Row): Promise<boolean> {
    return this.#putIf(`attribute_not_exists(${this.#schema.series})`, row);
  }

  #putIf(ConditionExpression: string, row: Row, version?: Value): Promise<boolean> {
    const values = version !== undefined && { ExpressionAttributeValues: marshall({ ':version': version }) };
    const put = { TableName: this.#name, Item: marshall(row), ConditionExpression, ...values };
    return conditional(this.#client.send(new PutItemCommand(put)));
  }

  /** Writes in batches, which take a tenth of the work of single puts. */
  async putAll(rows: readonly Row[]): Promise<void> {
    await inParallel(chunked(rows, BATCH_ROWS), PARALLEL_WRITES, (batch) => this.#putBatch(batch));
  }

  async update(series: string, position: Position, change: (row: Row) => Row | undefined): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
      // A consistent read: an update of an older row would only be refused.
      const known = await this.#get(series, position, true);
      const { [VERSION]: version, ...own } = known ?? {};
      const changed = change(own);
      if (!changed) return false;
      const row = { ...own, ...changed, ...this.#key(series, position), [VERSION]: Number(version ?? 0) + 1 };
      const isSame = version === undefined ? `attribute_not_exists(${VERSION})` : `${VERSION} = :version`;
      if (await (known ? this.#putIf(isSame, row, version) : this.putIfAbsent(row))) return true;
    }
    throw new Error(`a row of the table ${this.#name} changes all the time: ${series} ${position}`);
  }

  /** The table may take only part of a batch: the rest is sent again, after growing random pauses. */
  async #putBatch(rows: readonly Row[]): Promise<void> {
    let left: WriteRequest[] = rows.map((row) => ({ PutRequest: { Item: marshall(row) } }));
    for (let attempt = 1; ; attempt += 1) {
      const command = new BatchWriteItemCommand({ RequestItems: { [this.#name]: left } });
      const { UnprocessedItems } = await this.#client.send(command);
      left = UnprocessedItems?.[this.#name] ?? [];
      if (left.length === 0) return;
      const detail = `${this.#schema.what} is throttled: ${left.length} items were not written.`;
      if (attempt === MAX_BATCH_ATTEMPTS) throw new ApiError('UPSTREAM_UNAVAILABLE', detail);
      await this.#clock.wait(FIRST_PAUSE_MS * 2 ** attempt * Math.random());
    }
  }

  #key(series: string, position: Position): Row {
    return { [this.#schema.series]: series, [this.#schema.position]: position };
  }
}
