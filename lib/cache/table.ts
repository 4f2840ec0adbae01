/**
 * The shared cache in DynamoDB, one item per key. `expiresAt` (unix SECONDS) is DynamoDB's TTL, which items outlive by days, so
 * readers compare `freshUntil` and `staleUntil`. An entry or a key that is too large is kept by each container.
 */

import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { isPending } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { type Item, marshall, unmarshall } from '../tables/attributes.ts';
import { conditional, dynamoDB } from '../tables/dynamodb.ts';
import { Cache } from './cache.ts';
import type { CacheEntry, SharedStore } from './cache-entry.ts';

/** Maximum bytes of a body: DynamoDB's limit of an item is 400 kB, attribute names and numbers included. */
const MAX_BODY_BYTES = 390_000;
const MAX_KEY_BYTES = 2_048;
const WRITE_BYTES_PER_MS = 500;
/** After a failure: one slow request and one warning, not one per read. */
const PAUSE_MS = 5_000;
/** The SDK's own strategy waits half a second when it is throttled. */
const RETRIES = new ConfiguredRetryStrategy(2, 20);

export const TABLE_FAILED = 'cache table failed';

export function openCache(context: Context): Cache {
  const { config, telemetry, clock, limits } = context;
  const table = new TableStore(dynamoDB(limits.cacheTableMs, { retryStrategy: RETRIES }), context);
  return new Cache(`${config.release}#${config.network.name}`, table, telemetry, clock);
}

export class TableStore implements SharedStore {
  readonly #client: DynamoDBClient;
  readonly #context: Context;
  #pausedUntil = 0;

  constructor(client: DynamoDBClient, context: Context) {
    this.#client = client;
    this.#context = context;
  }

  /** Time in ms by which this process is ahead of its machine, whose clock was set back: others have the machine's time. */
  get #ahead(): number {
    return this.#context.clock.now() - this.#context.clock.unix();
  }

  read(key: string): Promise<CacheEntry | undefined> {
    return this.#attempt('read', key, () => this.#get(key));
  }

  /** True if the store answers. Asks also shortly after a failure. */
  async ping(): Promise<boolean> {
    const [{ status }] = await Promise.allSettled([this.#get('ping')]);
    return status === 'fulfilled';
  }

  async write(key: string, entry: CacheEntry): Promise<void> {
    const bytes = entry.body.byteLength;
    if (bytes > MAX_BODY_BYTES)
      return this.#context.telemetry.warn('body too large for the cache table, kept in memory only', { key, bytes });
    // Replacing the whole item also ends the lease.
    const command = new PutItemCommand({
      TableName: this.#context.config.cacheTable,
      Item: toItem(key, shifted(entry, -this.#ahead)),
    });
    const requestTimeout = this.#context.limits.cacheTableMs + Math.ceil(bytes / WRITE_BYTES_PER_MS);
    await this.#attempt('write', key, () => this.#client.send(command, { requestTimeout }));
  }

  /**
   * Takes the lease of a key and returns its owner's token, or undefined if another container holds it or has refreshed
   * the entry since it was `seen`.
   */
  async lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined> {
    const now = this.#context.clock.unix();
    if (isPending(seen?.leaseUntil ?? 0, leaseMs, this.#context.clock.now())) return undefined;
    const token = randomUUID();
    const taken = await this.#update('lease', key, {
      UpdateExpression:
        'SET leaseUntil = :until, leaseToken = :token, expiresAt = if_not_exists(expiresAt, :expiresAt)',
      // A lease that ends later than one taken now was set by a container whose clock is ahead: it is ignored. One with
      // this token was taken by an attempt whose response got lost.
      ConditionExpression: [
        '(attribute_not_exists(leaseUntil) OR leaseUntil < :now OR leaseUntil > :until OR leaseToken = :token)',
        // Nobody has refreshed the entry meanwhile, unless with a clock that is ahead.
        '(attribute_not_exists(freshUntil) OR freshUntil <= :now OR storedAt > :now)',
      ].join(' AND '),
      ExpressionAttributeValues: marshall({
        ...{ ':until': now + leaseMs, ':token': token },
        ...{ ':now': now, ':expiresAt': toSeconds(now + leaseMs) },
      }),
    });
    // Without a table, every container refreshes for itself.
    return taken === false ? undefined : token;
  }

  /** Releases a lease without a result, so that no container waits for it. Leaves another owner's lease alone. */
  async release(key: string, token: string): Promise<void> {
    await this.#update('release', key, {
      UpdateExpression: 'REMOVE leaseUntil, leaseToken',
      // An unconditional update of an expired item would create one that no TTL collects.
      ConditionExpression: 'leaseToken = :token',
      ExpressionAttributeValues: { ':token': { S: token } },
    });
  }

  async #get(key: string): Promise<CacheEntry | undefined> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#context.config.cacheTable, Key: { pk: { S: key } } }),
    );
    // A lease on a key that was never written is an item without a body.
    if (!Item?.body?.B) return undefined;
    const { pk: _, expiresAt: __, leaseToken: ___, gzip, ...fields } = unmarshall(Item);
    return shifted({ ...(fields as unknown as CacheEntry), gzip: gzip === 1, body: Item.body.B }, this.#ahead);
  }

  #update(operation: string, key: string, update: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) {
    const command = new UpdateItemCommand({
      TableName: this.#context.config.cacheTable,
      Key: { pk: { S: key } },
      ...update,
    });
    return this.#attempt(operation, key, () => conditional(this.#client.send(command)));
  }

  /** The result of `send`, or undefined if the table failed, is paused after a failure, or cannot take the key. */
  async #attempt<T>(operation: string, key: string, send: () => Promise<T>): Promise<T | undefined> {
    if (this.#context.clock.now() < this.#pausedUntil || Buffer.byteLength(key) > MAX_KEY_BYTES) return undefined;
    try {
      return await send();
    } catch (error) {
      this.#pausedUntil = this.#context.clock.now() + PAUSE_MS;
      this.#context.telemetry.count('TableError');
      this.#context.telemetry.warn(TABLE_FAILED, { operation, error });
      return undefined;
    }
  }
}

const toSeconds = (ms: number) => Math.ceil(ms / 1_000);

/** Attributes, those that conditions compare among them. A damaged one is no error, but makes an entry that is not fresh. */
function toItem(key: string, { body, gzip, leaseUntil: _, ...entry }: CacheEntry): Item {
  const own = { pk: key, gzip: Number(gzip), expiresAt: toSeconds(entry.staleUntil) };
  return { ...marshall({ ...own, ...(entry as object) }), body: { B: body } };
}

/** The entry with times of a clock that is ahead by this many ms. */
function shifted(entry: CacheEntry, ms: number): CacheEntry {
  const { storedAt, freshUntil, staleUntil, leaseUntil } = entry;
  const times = { storedAt: storedAt + ms, freshUntil: freshUntil + ms, staleUntil: staleUntil + ms };
  return { ...entry, ...times, leaseUntil: leaseUntil && leaseUntil + ms };
}
