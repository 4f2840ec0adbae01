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

  /** Time in ms by which this process is ahead of its machine, whose clock was set back: others have the machine's time. */
  get #ahead(): number {
    return this.#clock.now() - this.#clock.unix();
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
    // Replacing the whole item also ends the lease.
    const command = new PutItemCommand({ TableName: this.#table, Item: toItem(key, shifted(entry, -this.#ahead)) });
    const requestTimeout = this.#timeoutMs + Math.ceil(bytes / WRITE_BYTES_PER_MS);
    await this.#attempt('write', key, () => this.#client.send(command, { requestTimeout }));
  }

  async lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined> {
    const now = this.#clock.unix();
    if (isPending(seen?.leaseUntil ?? 0, leaseMs, this.#clock.now())) return undefined;
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
      ExpressionAttributeValues: {
        ':until': { N: String(now + leaseMs) },
        ':token': { S: token },
        ':now': { N: String(now) },
        ':expiresAt': toSeconds(now + leaseMs),
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
    if (!Item?.body?.B || !Item.entry?.S) return undefined;
    return shifted(toEntry(Item), this.#ahead);
  }

  #update(operation: string, key: string, update: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) {
    const command = new UpdateItemCommand({ TableName: this.#table, Key: { pk: { S: key } }, ...update });
    return this.#attempt(operation, key, () => conditional(this.#client.send(command)));
  }

  /** The result of `send`, or undefined if the table failed, is paused after a failure, or cannot take the key. */
  async #attempt<T>(operation: string, key: string, send: () => Promise<T>): Promise<T | undefined> {
    if (this.#clock.now() < this.#pausedUntil || Buffer.byteLength(key) > MAX_KEY_BYTES) return undefined;
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

/** The item of an entry: attributes that conditions compare, and the others as JSON. */
function toItem(key: string, { body, leaseUntil: _, ...entry }: CacheEntry): Item {
  return {
    pk: { S: key },
    body: { B: body },
    entry: { S: JSON.stringify(entry) },
    storedAt: { N: String(entry.storedAt) },
    freshUntil: { N: String(entry.freshUntil) },
    expiresAt: toSeconds(entry.staleUntil),
  };
}

function toEntry({ body, entry, leaseUntil }: Item): CacheEntry {
  const fields = JSON.parse(entry?.S as string);
  return { ...fields, body: body?.B, ...(leaseUntil && { leaseUntil: Number(leaseUntil.N) }) };
}

/** The entry with times of a clock that is ahead by this many ms. */
function shifted(entry: CacheEntry, ms: number): CacheEntry {
  const { storedAt, freshUntil, staleUntil, leaseUntil } = entry;
  const times = { storedAt: storedAt + ms, freshUntil: freshUntil + ms, staleUntil: staleUntil + ms };
  return { ...entry, ...times, ...(leaseUntil !== undefined && { leaseUntil: leaseUntil + ms }) };
}
