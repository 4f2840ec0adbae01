import { deserialize, serialize } from 'node:v8';
import { ApiError } from '../http/errors.ts';
import type { Telemetry } from '../telemetry.ts';
import { decode, encode } from './encoding.ts';
import { type Entry, type SharedStore, UNSHARED } from './entry.ts';
import { MemoryStore } from './memory.ts';

/**
 * Get-or-refresh. Order of reading: memory of this container → the shared table → the source.
 *
 * - Fresh: served. Memory holds the promise, so concurrent requests of a container share one read.
 * - Stale: the container that takes the lease (one conditional write) refreshes before it answers; everybody else serves
 *   the stale entry at once. Nothing is started after a response: Lambda freezes the process.
 * - Missing: the lease holder reads the source; the others wait up to 400 ms for its entry, then read for themselves.
 * - Refresh failed: the stale entry goes out, up to 24 h. The lease is left to run out, so a dead source is asked once per
 *   lease and not once per request. With nothing to serve the error goes out, is not kept, and the lease is given back.
 * - Table slow or down: a miss and a warning. The cache can never take the API down.
 *
 * Cost: one read of the table for a hit on a container that has not seen the key, two writes for a refresh. Rejected:
 * refreshing in the background (frozen), a lock that makes everybody wait (a dead holder would stop the API), ElastiCache
 * or DAX (a VPC, a fixed price and a connection to open on each cold start).
 */

export type CacheState = 'hit' | 'miss' | 'stale';

export interface Cached {
  entry: Entry;
  state: CacheState;
  /** How long the source took, if it was read for this. */
  loadMs?: number;
}

export interface CachePolicy {
  freshSeconds: number;
  /** False for what is made from a shared value: the table need not keep it a second time. */
  shared: boolean;
  /** For a refresh that may take longer than most. */
  leaseMs?: number | undefined;
}

/** A body as it was just made. */
export interface Loaded {
  body: string | Uint8Array;
  contentType: string;
  block?: Entry['block'];
  /** A shorter freshness than usual, for a body that something is missing from. */
  freshSeconds?: number | undefined;
  /** The shared values the body was made from: it is as old as the oldest and fresh as long as the first to expire. */
  basis?: readonly Cached[];
}

/** Makes a body anew; `stale` is the entry it takes the place of. */
type Load = (stale?: Entry) => Promise<Loaded>;

/** Longer than most refreshes (the RPC budget and the table's time-outs), short enough to outlive a dead holder soon. */
export const LEASE_MS = 4_500;
/** How long an entry may be served after its freshness ended, while its source cannot be read. */
const STALE_MS = 24 * 3_600_000;
/** How long "no such entity" is remembered. */
export const NOT_FOUND_SECONDS = 15;
/** Freshness is shortened by up to this part, so that entries written together do not expire together. */
const JITTER = 0.1;
/** Pauses between looks for the lease holder's entry, 400 ms in all. */
const WAITS_MS = [20, 40, 60, 80, 100, 100];

/** Part of every key. Raise it when the meaning or shape of what is kept changes. */
const SCHEMA_VERSION = 1;

export class Cache {
  readonly #prefix: string;
  readonly #shared: SharedStore;
  readonly #telemetry: Telemetry;
  readonly #now: () => number;
  readonly #memory = new MemoryStore();
  readonly #loading = new Map<string, Promise<Cached>>();
  readonly #values = new WeakMap<Entry, unknown>();

  /** `namespace` keeps networks apart in one table; `now` is the clock of this container (unix milliseconds). */
  constructor(namespace: string, shared: SharedStore, telemetry: Telemetry, now: () => number = Date.now) {
    this.#prefix = `${SCHEMA_VERSION}#${namespace}#`;
    this.#shared = shared;
    this.#telemetry = telemetry;
    this.#now = now;
  }

  /** The entry of a key, loaded if need be. Throws what `load` throws when there is nothing to serve instead. */
  async get(key: string, policy: CachePolicy, load: Load): Promise<Cached> {
    const cached = await this.#find(this.#prefix + key, policy, load);
    const { notFound, body } = cached.entry;
    if (notFound) throw new ApiError(notFound, Buffer.from(body).toString());
    return cached;
  }

  /**
   * The same for a value that several bodies are made from, loaded with the value it had before, if that is at hand. The value
   * must be structured-cloneable; treat it as frozen.
   */
  async value<T>(
    key: string,
    { freshSeconds, leaseMs }: { freshSeconds: number; leaseMs?: number | undefined },
    load: (previous?: T) => Promise<T>,
  ): Promise<Cached & { value: T }> {
    const cached = await this.get(key, { freshSeconds, leaseMs, shared: true }, async (previous) => {
      const value = await load(previous && this.#valueOf<T>(previous));
      return {
        body: serialize(value),
        contentType: 'application/x-v8',
        block: (value as { block?: Entry['block'] } | undefined)?.block,
      };
    });
    return { ...cached, value: this.#valueOf<T>(cached.entry) };
  }

  #valueOf<T>(entry: Entry): T {
    let value = this.#values.get(entry) as T | undefined;
    if (value === undefined) {
      value = deserialize(decode(entry)) as T;
      this.#values.set(entry, value);
    }
    return value;
  }

  /** Whether the shared table answers. */
  ping(): Promise<boolean> {
    return this.#shared.ping();
  }

  #find(key: string, policy: CachePolicy, load: Load): Promise<Cached> {
    const now = this.#now();
    const known = this.#memory.get(key);
    if (known && now < known.freshUntil) return Promise.resolve({ entry: known, state: 'hit' });
    const stale = known && now < known.staleUntil ? known : undefined;
    const loading = this.#loading.get(key);
    if (stale && (loading || now < (stale.leaseUntil ?? 0))) return Promise.resolve({ entry: stale, state: 'stale' });
    if (loading) return loading;
    const started = this.#resolve(key, policy, load, stale).finally(() => this.#loading.delete(key));
    this.#loading.set(key, started);
    return started;
  }

  async #resolve(key: string, policy: CachePolicy, load: Load, known: Entry | undefined): Promise<Cached> {
    const store = policy.shared ? this.#shared : UNSHARED;
    const item = await store.read(key);
    const now = this.#now();
    if (item && now < item.freshUntil) return this.#keep(key, item, 'hit');
    const stale = item && now < item.staleUntil ? item : known;
    if (!(await store.lease(key, item, policy.leaseMs ?? LEASE_MS))) {
      this.#telemetry.count('LeaseLost');
      if (stale) return this.#keep(key, stale, 'stale');
      const awaited = await this.#waitForHolder(store, key);
      if (awaited) return this.#keep(key, awaited, 'hit');
    }
    return this.#refresh(key, policy, store, load, stale);
  }

  async #refresh(
    key: string,
    policy: CachePolicy,
    store: SharedStore,
    load: Load,
    stale: Entry | undefined,
  ): Promise<Cached> {
    const started = performance.now();
    const { leaseMs = LEASE_MS } = policy;
    try {
      const loaded = await load(stale);
      const loadMs = performance.now() - started;
      const entry = makeEntry(loaded, loaded.freshSeconds ?? policy.freshSeconds, this.#now());
      await store.write(key, entry);
      return { ...this.#keep(key, entry, stateOf(loaded)), loadMs };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        await store.write(key, this.#keep(key, makeNotFound(error, this.#now()), 'miss').entry);
        throw error;
      }
      if (!stale || (error instanceof ApiError && error.status < 500)) {
        await store.release(key);
        throw error;
      }
      this.#telemetry.warn('refresh failed, serving stale', { key, error });
      return this.#keep(key, { ...stale, leaseUntil: this.#now() + leaseMs }, 'stale');
    }
  }

  async #waitForHolder(store: SharedStore, key: string): Promise<Entry | undefined> {
    for (const pause of WAITS_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const entry = await store.read(key);
      if (entry && this.#now() < entry.freshUntil) return entry;
    }
    return undefined;
  }

  #keep(key: string, entry: Entry, state: CacheState): Cached {
    this.#memory.set(key, entry);
    return { entry, state };
  }
}

function makeEntry({ body, contentType, block, basis = [] }: Loaded, freshSeconds: number, now: number): Entry {
  const freshMs = freshSeconds * 1_000 * (1 - JITTER * Math.random());
  return {
    ...encode(body, contentType),
    block,
    storedAt: Math.min(now, ...basis.map(({ entry }) => entry.storedAt)),
    maxAge: freshSeconds,
    freshUntil: Math.min(Math.round(now + freshMs), ...basis.map(({ entry }) => entry.freshUntil)),
    staleUntil: Math.min(now + STALE_MS, ...basis.map(({ entry }) => entry.staleUntil)),
  };
}

function makeNotFound({ code, message }: ApiError, now: number): Entry {
  const until = now + NOT_FOUND_SECONDS * 1_000;
  return {
    ...encode(message, 'text/plain'),
    notFound: code,
    storedAt: now,
    freshUntil: until,
    staleUntil: until,
    maxAge: NOT_FOUND_SECONDS,
  };
}

/** A body made from cached values is as much a hit as the worst of them. */
function stateOf({ basis = [] }: Loaded): CacheState {
  if (basis.some(({ state }) => state === 'stale')) return 'stale';
  return basis.length > 0 && basis.every(({ state }) => state === 'hit') ? 'hit' : 'miss';
}
