/**
 * The shared cache in DynamoDB, one item per key; a body too large for one item continues in others. `expiresAt` (unix
 * SECONDS) is DynamoDB's TTL and only collects garbage: items outlive it by days, so readers compare `freshUntil` and
 * `staleUntil` (milliseconds) themselves. An entry whose key is too long for DynamoDB is never written to it: each
 * container keeps its own.
 */

import { randomUUID } from 'node:crypto';
import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { type Clock, isPending } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { conditional, dynamoDB } from '../tables/dynamodb.ts';
import { ETAG_LENGTH } from '../values/encoding.ts';
import { Cache } from './cache.ts';
import type { CacheEntry } from './cache-entry.ts';
import type { SharedStore } from './shared-store.ts';
import { type Item, toEntry, toItem, toSeconds } from './table-item.ts';

/** Maximum bytes of an item: DynamoDB's limit is 400 kB, attribute names and numbers included. */
const MAX_ITEM_BYTES = 390_000;
/** Maximum number of items of a body: enough for 40,000 stakers. Each item costs 390 write units per refresh. */
const MAX_ITEMS = 6;
/** DynamoDB's limit for a partition key, less the suffix of {@link restKey}. */
const MAX_KEY_BYTES = 2_048 - restKey('', 'x'.repeat(ETAG_LENGTH), 0).length;
/** Rate of the extra time to write a large body: almost a second for 390 kB. */
const WRITE_BYTES_PER_MS = 500;
/** Time in ms for which the table is not used after a failure: one slow request and one warning, not one per read. */
const PAUSE_MS = 5_000;

/** Log message when the table does not answer in time, or answers with an error. */
export const TABLE_FAILED = 'cache table failed';
const TABLE_ATTEMPTS = 2;
const TABLE_RETRY_PAUSE_MS = 20;

/** Opens the cache of a process. */
export function openCache({ config, telemetry, clock, limits: { cacheTableMs } }: Context): Cache {
  // The SDK's own strategy waits half a second when it is throttled.
  const retryStrategy = new ConfiguredRetryStrategy(TABLE_ATTEMPTS, TABLE_RETRY_PAUSE_MS);
  const client = dynamoDB(cacheTableMs, { retryStrategy });
  const table = new TableStore(client, config.cacheTable, telemetry, clock, cacheTableMs);
  return new Cache(`${config.release}#${config.network.name}`, table, telemetry, clock);
}

export class TableStore implements SharedStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #pausedUntil = 0;

  /** `timeoutMs` is for writes; the client has its own for everything else. */
  constructor(client: DynamoDBClient, table: string, telemetry: Telemetry, clock: Clock, timeoutMs: number) {
    this.#client = client;
    this.#table = table;
    this.#telemetry = telemetry;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  async read(key: string): Promise<CacheEntry | undefined> {
    return this.#attempt('read', key, async () => this.#readEntry(key, await this.#get(key)));
  }

  async peek(keys: readonly string[]): Promise<ReadonlyMap<string, CacheEntry>> {
    const Keys = keys.map((key) => ({ pk: { S: key } }));
    const command = new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys } } });
    const { Responses, UnprocessedKeys } = await this.#client.send(command);
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Error('the table has left keys unread');
    const found = new Map<string, CacheEntry>();
    const items = Responses?.[this.#table] ?? [];
    await Promise.all(
      items.map(async (item) => {
        const key = item.pk?.S as string;
        const entry = await this.#readEntry(key, item);
        if (entry) found.set(key, entry);
      }),
    );
    return found;
  }

  async write(key: string, entry: CacheEntry): Promise<void> {
    const [body, ...rest] = splitSlices(entry.body);
    if (rest.length >= MAX_ITEMS) {
      this.#telemetry.warn('body too large for the cache table, kept in memory only', {
        key,
        bytes: entry.body.byteLength,
      });
      return;
    }
    await this.#attempt('write', key, async () => {
      const expiresAt = toSeconds(entry.staleUntil);
      await Promise.all(
        rest.map((slice, index) =>
          this.#put({ pk: { S: restKey(key, entry.etag, index) }, body: { B: slice }, expiresAt }),
        ),
      );
      await conditional(
        this.#put(
          { ...toItem(key, entry), body: { B: body as Uint8Array }, rest: { N: String(rest.length) } },
          // A slow refresh must not replace a newer entry. Replacing the whole item also ends the lease. A `storedAt`
          // that is not a number or in the future marks a corrupt item, which may be replaced.
          {
            ConditionExpression: 'NOT attribute_type(storedAt, :number) OR storedAt <= :storedAt OR storedAt > :now',
            ExpressionAttributeValues: {
              ':storedAt': { N: String(entry.storedAt) },
              ':now': { N: String(this.#clock.now()) },
              ':number': { S: 'N' },
            },
          },
        ),
      );
    });
  }

  async lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined> {
    const now = this.#clock.now();
    if (seen?.leaseUntil && seen.leaseUntil >= now && seen.leaseUntil <= now + leaseMs) return undefined;
    const token = randomUUID();
    const taken = await this.#attempt('lease', key, () =>
      conditional(
        this.#client.send(
          new UpdateItemCommand({
            TableName: this.#table,
            Key: { pk: { S: key } },
            UpdateExpression:
              'SET leaseUntil = :until, leaseToken = :token, expiresAt = if_not_exists(expiresAt, :expiresAt)',
            // A lease that ends later than one taken now was set by a container whose clock is ahead: it is ignored.
            // One with this token was taken by an attempt whose response got lost.
            ConditionExpression: [
              '(attribute_not_exists(leaseUntil) OR leaseUntil < :now OR leaseUntil > :until OR leaseToken = :token)',
              seen ? 'freshUntil = :seen' : '(attribute_not_exists(freshUntil) OR freshUntil < :now)',
            ].join(' AND '),
            ExpressionAttributeValues: {
              ':until': { N: String(now + leaseMs) },
              ':token': { S: token },
              ':now': { N: String(now) },
              ':expiresAt': toSeconds(now + leaseMs),
              ...(seen && { ':seen': { N: String(seen.freshUntil) } }),
            },
          }),
        ),
      ),
    );
    // Without a table, every container refreshes for itself.
    return taken === false ? undefined : token;
  }

  async release(key: string, token: string): Promise<void> {
    await this.#attempt('release', key, () =>
      conditional(
        this.#client.send(
          new UpdateItemCommand({
            TableName: this.#table,
            Key: { pk: { S: key } },
            UpdateExpression: 'REMOVE leaseUntil, leaseToken',
            // An unconditional update of an expired item would create one that no TTL collects.
            ConditionExpression: 'leaseToken = :token',
            ExpressionAttributeValues: { ':token': { S: token } },
          }),
        ),
      ),
    );
  }

  async #get(key: string): Promise<Item | undefined> {
    const { Item } = await this.#client.send(new GetItemCommand({ TableName: this.#table, Key: { pk: { S: key } } }));
    return Item;
  }

  /** The entry of a key's item, with its whole body. */
  async #readEntry(key: string, item: Item | undefined): Promise<CacheEntry | undefined> {
    // A lease on a key that was never written is an item without a body.
    if (!item?.body) return undefined;
    const entry = toEntry(await this.#joinSlices(key, item));
    if (!entry) this.#telemetry.warn('cache item is corrupt, treated as a miss', { key });
    return entry;
  }

  /** An item with its whole body. If a part is missing, the hash check of {@link toEntry} fails. */
  async #joinSlices(key: string, item: Item): Promise<Item> {
    const count = Number(item.rest?.N ?? 0);
    if (!item.body?.B || !(count > 0 && count < MAX_ITEMS)) return item;
    const etag = item.etag?.S ?? '';
    const rest = await Promise.all(Array.from({ length: count }, (_, index) => this.#get(restKey(key, etag, index))));
    const slices = [item, ...rest].map((part) => part?.body?.B ?? new Uint8Array());
    return { ...item, body: { B: Buffer.concat(slices) } };
  }

  #put(Item: Item, condition: Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> = {}) {
    const requestTimeout = this.#timeoutMs + Math.ceil((Item.body?.B?.byteLength ?? 0) / WRITE_BYTES_PER_MS);
    return this.#client.send(new PutItemCommand({ TableName: this.#table, Item, ...condition }), { requestTimeout });
  }

  /** The result of `send`, or undefined if the table failed, is paused after a failure, or cannot take the key. */
  async #attempt<T>(operation: string, key: string, send: () => Promise<T>): Promise<T | undefined> {
    const isPaused = isPending(this.#pausedUntil, PAUSE_MS, this.#clock.now());
    if (isPaused || Buffer.byteLength(key) > MAX_KEY_BYTES) return undefined;
    try {
      return await send();
    } catch (error) {
      this.#pausedUntil = this.#clock.now() + PAUSE_MS;
      this.#telemetry.count('TableError');
      this.#telemetry.warn(TABLE_FAILED, { operation, error });
      return undefined;
    }
  }
}

/** The key of a continuation item. Each version of a body has its own items: a failed write leaves the others whole. */
function restKey(key: string, etag: string, index: number): string {
  return `${key}#${etag}-${index + 1}`;
}

function splitSlices(body: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(body.byteLength / MAX_ITEM_BYTES));
  return Array.from({ length: count }, (_, index) =>
    body.subarray(index * MAX_ITEM_BYTES, (index + 1) * MAX_ITEM_BYTES),
  );
}
