/** `lib/cache`: keeps bodies of endpoints and datasets that several of them share in memory and in a DynamoDB table. */

import { deserialize, serialize } from 'node:v8';
import { type Clock, isPending, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { deadline, inTime, withDeadline } from '../runtime/deadline.ts';
import { ApiError, BlockLost, levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { decode } from '../values/encoding.ts';
import {
  type Cached,
  type CacheEntry,
  type CachePolicy,
  createEntry,
  createNotFoundEntry,
  hasJustExpired,
  isFresh,
  type Loaded,
  MemoryStore,
  type SharedStore,
  VALUE_TYPE,
} from './cache-entry.ts';

type Load = (stale?: CacheEntry) => Promise<Loaded>;

/** Lease in ms: longer than most refreshes (RPC budget plus table timeouts), short enough to recover from a dead holder. */
const LEASE_MS = 4_500;
/** Above each `leaseMs` of a policy. */
const LONGEST_LEASE_MS = 60_000;
/** Pauses between polls for the lease holder's entry, 400 ms in all. */
const WAITS_MS = [20, 40, 60, 80, 100, 100];

/** From the end of a load to its request's deadline: enough to serve the stale entry instead. */
const LOAD_RESERVE_MS = 250;

/**
 * Get-or-refresh: this container's memory → the shared table → the source.
 *
 * - Fresh: served. Concurrent requests of a container share one read.
 * - Stale: the container that takes the lease (one conditional write) refreshes before it answers, because Lambda freezes the process
 *   after a response. The others serve an entry at once that has expired within the last minute, or else wait up to 400 ms.
 * - Missing: the lease holder reads the source; the others wait up to 400 ms for its entry, then read for themselves.
 * - Refresh failed or late: the stale entry is served, for up to 24 h. The lease is left to expire, so a dead source is asked once per
 *   lease. With nothing to serve, the error is returned and not cached, and its owner releases the lease.
 * - Table slow or down: a miss and a warning. The cache can never take the API down.
 */
export class Cache {
  readonly #prefix: string;
  readonly #table: SharedStore | undefined;
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #memory = new MemoryStore();
  readonly #loading = new Map<string, Promise<Cached>>();
  readonly #values = new WeakMap<CacheEntry, unknown>();

  /** `namespace` separates releases and networks that share a table. Without a table, each container has its own entries. */
  constructor(namespace: string, table: SharedStore | undefined, telemetry: Telemetry, clock: Clock = systemClock) {
    this.#prefix = `${namespace}#`;
    this.#table = table;
    this.#telemetry = telemetry;
    this.#clock = clock;
  }

  /** The entry of a key, loaded if necessary. Throws the error of `load` if there is no stale entry to serve instead. */
  async get(key: string, policy: CachePolicy, load: Load): Promise<Cached> {
    const cached = await this.#find(this.#prefix + key, policy, load);
    const { entry } = cached;
    if (entry.notFound) throw new ApiError(entry.notFound, decode(entry).toString());
    return cached;
  }

  /**
   * Like {@link get}, for a value that several bodies are made from. `load` gets the previous value if it is still
   * cached, and adds the cached values that it uses to `sources`. The value must be structured-cloneable; treat it as frozen.
   */
  async value<T>(
    key: string,
    policy: CachePolicy & Pick<Dataset<T>, 'freshFor'>,
    load: (previous: T | undefined, sources: Cached[]) => Promise<T>,
  ): Promise<Cached & { value: T }> {
    const cached = await this.get(key, policy, async (previous) => {
      const sources: Cached[] = [];
      const value = await load(previous && this.#valueOf<T>(previous), sources);
      const { block } = (value ?? {}) as { block?: CacheEntry['block'] };
      const body = serialize(value);
      return { value, body, contentType: VALUE_TYPE, block, freshSeconds: policy.freshFor?.(value), sources };
    });
    return { ...cached, value: this.#valueOf<T>(cached.entry) };
  }

  #valueOf<T>(entry: CacheEntry): T {
    if (!this.#values.has(entry)) this.#values.set(entry, deserialize(decode(entry)));
    return this.#values.get(entry) as T;
  }

  async ping(): Promise<boolean> {
    return this.#table?.ping() ?? true;
  }

  #find(key: string, policy: CachePolicy, load: Load): Promise<Cached> {
    const now = this.#clock.now();
    const known = this.#memory.get(key);
    if (known && isFresh(known, now)) return Promise.resolve({ entry: known, state: 'hit' });
    const stale = known && now < known.staleUntil ? known : undefined;
    const loading = this.#loading.get(key);
    // Another container, whose clock may be far ahead, sets the ends of leases that are read from the table.
    const isLeased = isPending(stale?.leaseUntil ?? 0, LONGEST_LEASE_MS, now);
    if (stale && (isLeased || (loading && hasJustExpired(stale, now))))
      return Promise.resolve({ entry: stale, state: 'stale' });
    // Joins the other request's load. If that one ran out of time and this one has not, it loads again.
    if (loading)
      return loading.catch((error: unknown) => {
        const isLate = error instanceof ApiError && error.code === 'DEADLINE_EXCEEDED';
        if (isLate && this.#clock.now() < deadline()) return this.#find(key, policy, load);
        throw error;
      });
    const started = this.#resolve(key, policy, load, stale).finally(() => this.#loading.delete(key));
    this.#loading.set(key, started);
    return started;
  }

  async #resolve(key: string, policy: CachePolicy, load: Load, known: CacheEntry | undefined): Promise<Cached> {
    const store = policy.shared && this.#table;
    const { leaseMs = LEASE_MS } = policy;
    const found = await this.#read(store, key);
    const now = this.#clock.now();
    if (found && isFresh(found, now)) return this.#remember(key, found, 'hit');
    const stored = found && now < found.staleUntil ? found : undefined;
    // This container's entry may be newer than the table's, which can miss a write.
    const stale = known && known.storedAt > (stored?.storedAt ?? 0) ? known : stored;
    const lease = await store?.lease(key, found, leaseMs);
    if (store && lease === undefined) {
      if (stale && hasJustExpired(stale, now)) return this.#remember(key, stale, 'stale');
      for (const pause of WAITS_MS) {
        await this.#clock.wait(pause);
        const entry = await this.#read(store, key);
        if (entry && isFresh(entry, this.#clock.now())) return this.#remember(key, entry, 'hit');
      }
      // The holder is slow or has failed: no request waits for it again.
      if (stale) return this.#remember(key, { ...stale, leaseUntil: now + leaseMs }, 'stale');
    }
    try {
      return await this.#load(key, policy, load, stale);
    } catch (error) {
      const failedAt = this.#clock.now();
      if (error instanceof ApiError && error.status === 404) {
        await store?.write(key, this.#remember(key, createNotFoundEntry(error, failedAt), 'miss').entry);
        throw error;
      }
      if (!stale || (error instanceof ApiError && error.status < 500)) {
        if (lease !== undefined) await store?.release(key, lease);
        throw error;
      }
      this.#telemetry[levelOf(error)]('refresh failed, serving stale', { key, error });
      return this.#remember(key, { ...stale, leaseUntil: failedAt + leaseMs }, 'stale');
    }
  }

  async #load(key: string, policy: CachePolicy, load: Load, stale?: CacheEntry): Promise<Cached> {
    const started = performance.now();
    // Data is dated from when the load began, not from when it ended.
    const now = this.#clock.now();
    // What was read at a lost block is read anew: the next snapshot is of a block that all providers have.
    const loadAgain = (error: unknown) => (error instanceof BlockLost ? load(stale) : Promise.reject(error));
    const loading = withDeadline(deadline() - LOAD_RESERVE_MS, () => load(stale).catch(loadAgain));
    const loaded = await inTime(loading, this.#clock);
    const loadMs = performance.now() - started;
    const entry = createEntry(loaded, loaded.freshSeconds ?? policy.freshSeconds, now);
    if (loaded.contentType === VALUE_TYPE) this.#values.set(entry, loaded.value);
    // A write that takes too long is not waited for.
    if (policy.shared && this.#table) await inTime(this.#table.write(key, entry), this.#clock).catch(() => {});
    const isStale = loaded.sources?.some(({ state }) => state === 'stale');
    return { ...this.#remember(key, entry, isStale ? 'stale' : 'miss'), loadMs };
  }

  /** The entry of the table, or undefined if it cannot be decoded. */
  async #read(store: SharedStore | undefined, key: string): Promise<CacheEntry | undefined> {
    const entry = await store?.read(key);
    try {
      if (entry?.contentType === VALUE_TYPE) this.#valueOf(entry);
      return entry;
    } catch (error) {
      this.#telemetry.warn('cached value cannot be read, treated as a miss', { key, error });
      return undefined;
    }
  }

  #remember(key: string, entry: CacheEntry, state: Cached['state']): Cached {
    this.#memory.set(key, entry);
    return { entry, state };
  }
}

export interface CacheContext extends Context {
  cache: Cache;
}

export interface Dataset<T, Services extends CacheContext = CacheContext> extends CachePolicy {
  name: string;
  /** Time in seconds for which an incomplete value is fresh instead; undefined for a complete one. */
  freshFor?(value: T): number | undefined;
  /** `previous` is the last value, if it is still cached. A value made from other datasets is as old as the oldest one. */
  read: (context: RequestContext<Services>, previous?: T) => Promise<T>;
}

/** Unlike {@link RequestContext.dataset}, it does not make a response as old as the dataset. */
export function readDataset<T, Services extends CacheContext>(
  context: Services,
  dataset: Dataset<T, Services>,
): Promise<Cached & { value: T }> {
  return context.cache.value(dataset.name, dataset, (previous: T | undefined, sources) =>
    dataset.read(withDatasets(context, sources), previous),
  );
}

export type RequestContext<Services extends CacheContext> = Services & {
  /** Reads a dataset. The response is then as old as the oldest one it used, and fresh until the first one expires. */
  dataset: <T>(dataset: Dataset<T, Services>) => Promise<T>;
};

/** The context with datasets; those that a body is made from are added to `used`. */
export function withDatasets<Services extends CacheContext>(context: Services, used: Cached[]) {
  const dataset = async <T>(wanted: Dataset<T, Services>) => {
    const cached = await readDataset(context, wanted);
    used.push(cached);
    return cached.value;
  };
  return { ...context, dataset };
}
