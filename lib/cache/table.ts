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
import { type Clock, isPending } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { Item } from '../tables/attributes.ts';
import { conditional, dynamoDB } from '../tables/dynamodb.ts';
import { createETag } from '../values/encoding.ts';
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

export function openCache({ config, telemetry, clock, limits: { cacheTableMs } }: Context): Cache {
  const client = dynamoDB(cacheTableMs, { retryStrategy: RETRIES });
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

  read(key: string): Promise<CacheEntry | undefined> {
    return this.#attempt('read', key, () => this.#get(key));
  }

  async ping(): Promise<boolean> {
    const [{ status }] = await Promise.allSettled([this.#get('ping')]);
    return status === 'fulfilled';
  }

  async write(key: string, entry: CacheEntry): Promise<void> {
    const bytes = entry.body.byteLength;
    if (bytes > MAX_BODY_BYTES)
      return this.#telemetry.warn('body too large for the cache table, kept in memory only', { key, bytes });
    const command = new PutItemCommand({
      TableName: this.#table,
      Item: toItem(key, entry),
      // A slow refresh must not replace a newer entry. Replacing the whole item also ends the lease. A `storedAt` that is
      // not a number or in the future marks a corrupt item, which may be replaced.
      ConditionExpression: 'NOT attribute_type(storedAt, :number) OR storedAt <= :storedAt OR storedAt > :now',
      ExpressionAttributeValues: {
        ':storedAt': { N: String(entry.storedAt) },
        ':now': { N: String(this.#clock.now()) },
        ':number': { S: 'N' },
      },
    });
    const requestTimeout = this.#timeoutMs + Math.ceil(bytes / WRITE_BYTES_PER_MS);
    await this.#attempt('write', key, () => conditional(this.#client.send(command, { requestTimeout })));
  }

  async lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined> {
    const now = this.#clock.now();
    if (seen?.leaseUntil && seen.leaseUntil >= now && seen.leaseUntil <= now + leaseMs) return undefined;
    const token = randomUUID();
    const taken = await this.#update('lease', key, {
      UpdateExpression:
        'SET leaseUntil = :until, leaseToken = :token, expiresAt = if_not_exists(expiresAt, :expiresAt)',
      // A lease that ends later than one taken now was set by a container whose clock is ahead: it is ignored. One with
      // this token was taken by an attempt whose response got lost.
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
    });
    // Without a table, every container refreshes for itself.
    return taken === false ? undefined : token;
  }

  async release(key: string, token: string): Promise<void> {
    await this.#update('release', key, {
      UpdateExpression: 'REMOVE leaseUntil, leaseToken',
      // An unconditional update of an expired item would create one that no TTL collects.
      ConditionExpression: 'leaseToken = :token',
      ExpressionAttributeValues: { ':token': { S: token } },
    });
  }

  async #get(key: string): Promise<CacheEntry | undefined> {
    const { Item } = await this.#client.send(new GetItemCommand({ TableName: this.#table, Key: { pk: { S: key } } }));
    // A lease on a key that was never written is an item without a body.
    if (!Item?.body) return undefined;
    const entry = toEntry(key, Item);
    if (!entry) this.#telemetry.warn('cache item is corrupt, treated as a miss', { key });
    return entry;
  }

  #update(operation: string, key: string, update: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) {
    const command = new UpdateItemCommand({ TableName: this.#table, Key: { pk: { S: key } }, ...update });
    return this.#attempt(operation, key, () => conditional(this.#client.send(command)));
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

const toSeconds = (ms: number) => ({ N: String(Math.ceil(ms / 1_000)) });

/** The item of an entry: attributes that conditions compare, the others as JSON, and a hash of all. */
function toItem(key: string, { body, leaseUntil: _, ...entry }: CacheEntry): Item {
  const text = JSON.stringify(entry);
  return {
    pk: { S: key },
    body: { B: body },
    entry: { S: text },
    hash: { S: hashOf(key, text, body) },
    storedAt: { N: String(entry.storedAt) },
    freshUntil: { N: String(entry.freshUntil) },
    expiresAt: toSeconds(entry.staleUntil),
  };
}

/** The entry of an item, or undefined if anything in it is missing or damaged. */
function toEntry(key: string, { body, entry, hash, leaseUntil }: Item): CacheEntry | undefined {
  if (!body?.B || !entry?.S || hash?.S !== hashOf(key, entry.S, body.B)) return undefined;
  return { ...JSON.parse(entry.S), body: body.B, ...(leaseUntil && { leaseUntil: Number(leaseUntil.N) }) };
}

/** A damaged entry would otherwise be served until it expires. */
function hashOf(key: string, text: string, body: Uint8Array): string {
  return createETag(Buffer.concat([Buffer.from(`${key}\n${text}\n`), body]));
}
