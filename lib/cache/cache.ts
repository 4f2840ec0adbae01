import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { type Clock, monotonicMs, systemClock } from '../clock.ts';
import { deadline, inTime, withDeadline } from '../deadline.ts';
import { decode, encode } from '../http/encoding.ts';
import { ApiError, NOT_FOUND_SECONDS } from '../http/errors.ts';
import type { CacheState } from '../http/message.ts';
import type { Telemetry } from '../telemetry.ts';
import { type CacheEntry, type SharedStore, UNSHARED, VALUE_TYPE } from './entry.ts';
import { MemoryStore } from './memory.ts';

/**
 * Get-or-refresh. Order of reading: memory of this container → the shared table → the source.
 *
 * - Fresh: served. Memory holds the promise, so concurrent requests of a container share one read.
 * - Stale: the container that takes the lease (one conditional write) refreshes before it answers; everybody else serves
 *   the stale entry at once. Nothing is started after a response: Lambda freezes the process.
 * - Missing: the lease holder reads the source; the others wait up to 400 ms for its entry, then read for themselves.
 * - Refresh failed, or not done by the request's deadline: the stale entry goes out, up to 24 h. The lease is left to run out, so
 *   a dead source is asked once per lease and not once per request. With nothing to serve the error goes out, is not kept, and
 *   the lease is given back by its owner.
 * - Table slow or down: a miss and a warning. The cache can never take the API down.
 *
 * Cost: one read of the table for a hit on a container that has not seen the key, two writes for a refresh. Rejected:
 * refreshing in the background (frozen), a lock that makes everybody wait (a dead holder would stop the API), ElastiCache
 * or DAX (a VPC, a fixed price and a connection to open on each cold start).
 */

export interface Cached {
  entry: CacheEntry;
  state: CacheState;
  /** How long the source took, milliseconds, if it was read for this. */
  loadMs?: number;
}

export interface CachePolicy {
  freshSeconds: number;
  /** False for what is made from a shared value: the table need not keep it a second time. */
  shared: boolean;
  /** For a refresh that may take longer than most. */
  leaseMs?: number | undefined;
  /** Throws on an entry that nothing can be made of: it is then taken for a miss. */
  check?: (entry: CacheEntry) => void;
}

/** A body as it was just made. */
export interface Loaded {
  body: string | Uint8Array;
  contentType: string;
  block?: CacheEntry['block'];
  /** A shorter freshness than usual, for a body that something is missing from. */
  freshSeconds?: number | undefined;
  /** True for what must not be served when it is fresh no more. */
  momentary?: true | undefined;
  /** The cursor of what comes next, of a body that cannot say it itself. */
  next?: string | undefined;
  /** What the body is the serialized form of, so that whoever made it need not read it back. */
  value?: unknown;
  /** The shared values the body was made from: it is as old as the oldest and fresh as long as the first to expire. */
  basis?: readonly Cached[];
}

/** What JSON can tell apart, and bigints; no field is a bigint in one value and its text with an n behind it in another. */
export type Plain =
  | string
  | number
  | bigint
  | boolean
  | readonly Plain[]
  | { readonly [name: string]: Plain | undefined };

/** Makes a body anew; `stale` is the entry it takes the place of. */
type Load = (stale?: CacheEntry) => Promise<Loaded>;

/** Longer than most refreshes (the RPC budget and the table's time-outs), short enough to outlive a dead holder soon. */
export const LEASE_MS = 4_500;
/** How long an entry may be served after its freshness ended, while its source cannot be read. */
const STALE_MS = 24 * 3_600_000;
/** Freshness is shortened by up to this part, so that entries written together do not expire together. */
const JITTER = 0.1;
/** Pauses between looks for the lease holder's entry, 400 ms in all. */
const WAITS_MS = [20, 40, 60, 80, 100, 100];

/** What is loaded ends so much before the deadline of who waits for it, who can then still serve what is stale. */
const LOAD_RESERVE_MS = 250;

/** Values go to other containers only: half the time of the usual level, and 4 % more bytes (20,000 minipools, 2026-11). */
const VALUE_GZIP_LEVEL = 1;

/** What was kept is kept again after an hour; until then, and for as long as what it is part of may be served, nothing expires. */
const KEPT_AGAIN_MS = 3_600_000;
const KEPT_SECONDS = 30 * 3_600;

/** Part of every key. Raise it when the meaning or shape of what is kept changes; a dataset has a version of its own. */
const SCHEMA_VERSION = 1;

export class Cache {
  readonly #prefix: string;
  readonly #shared: SharedStore;
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #memory = new MemoryStore();
  readonly #loading = new Map<string, Promise<Cached>>();
  readonly #values = new WeakMap<CacheEntry, unknown>();

  /** `namespace` keeps networks apart in one table; `clock` is that of this container. */
  constructor(namespace: string, shared: SharedStore, telemetry: Telemetry, clock: Clock = systemClock) {
    this.#prefix = `${SCHEMA_VERSION}#${namespace}#`;
    this.#shared = shared;
    this.#telemetry = telemetry;
    this.#clock = clock;
  }

  /** The entry of a key, loaded if need be. Throws what `load` throws when there is nothing to serve instead. */
  async get(key: string, policy: CachePolicy, load: Load): Promise<Cached> {
    const cached = await this.#find(this.#prefix + key, policy, load);
    const { entry } = cached;
    if (entry.notFound) throw new ApiError(entry.notFound, decode(entry).toString());
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
    const policy = { freshSeconds, leaseMs, shared: true, check: (entry: CacheEntry) => this.#valueOf(entry) };
    const cached = await this.get(key, policy, async (previous) => {
      const value = await load(previous && this.#valueOf<T>(previous));
      return { ...serialized(value), block: (value as { block?: CacheEntry['block'] } | undefined)?.block };
    });
    return { ...cached, value: this.#valueOf<T>(cached.entry) };
  }

  /**
   * Keeps a value that never changes: a part of another one that does. Gives the key that follows from its content, so a part that
   * has stayed the same is written no more than once an hour by a container.
   */
  async keep(name: string, value: Plain): Promise<string> {
    const key = `${name}/${contentHash(value)}`;
    const known = this.#memory.get(this.#prefix + key);
    const now = this.#clock.now();
    if (!known || known.storedAt < now - KEPT_AGAIN_MS) {
      const entry = makeEntry({ ...serialized(value), momentary: true }, KEPT_SECONDS, now);
      this.#values.set(entry, value);
      this.#memory.set(this.#prefix + key, entry);
      await this.#shared.write(this.#prefix + key, entry);
    }
    return key;
  }

  /** What is kept under such a key, or `load` if it is lost. */
  async kept<T>(key: string, load: () => Promise<T>): Promise<T> {
    return (await this.value(key, { freshSeconds: KEPT_SECONDS }, load)).value;
  }

  #valueOf<T>(entry: CacheEntry): T {
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
    const now = this.#clock.now();
    const known = this.#memory.get(key);
    if (known && now < known.freshUntil) return Promise.resolve({ entry: known, state: 'hit' });
    const stale = known && now < known.staleUntil ? known : undefined;
    const loading = this.#loading.get(key);
    if (stale && (loading || now < (stale.leaseUntil ?? 0))) return Promise.resolve({ entry: stale, state: 'stale' });
    if (loading) return this.#joined(loading, () => this.#find(key, policy, load));
    const started = this.#resolve(key, policy, load, stale).finally(() => this.#loading.delete(key));
    this.#loading.set(key, started);
    return started;
  }

  /** What another request loads; if that ran out of time and this one has not, it is loaded again. */
  async #joined(loading: Promise<Cached>, again: () => Promise<Cached>): Promise<Cached> {
    try {
      return await loading;
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'DEADLINE_EXCEEDED';
      if (isLate && this.#clock.now() < deadline()) return again();
      throw error;
    }
  }

  async #resolve(key: string, policy: CachePolicy, load: Load, known: CacheEntry | undefined): Promise<Cached> {
    const store = policy.shared ? this.#shared : UNSHARED;
    const item = await store.read(key);
    const found = this.#checked(key, policy, item);
    const now = this.#clock.now();
    if (found && now < found.freshUntil) return this.#keep(key, found, 'hit');
    const stored = found && now < found.staleUntil ? found : undefined;
    // The table may have missed what this container has.
    const stale = known && known.storedAt > (stored?.storedAt ?? 0) ? known : stored;
    const lease = await store.lease(key, item, policy.leaseMs ?? LEASE_MS);
    if (lease === undefined) {
      this.#telemetry.count('LeaseLost');
      if (stale) return this.#keep(key, stale, 'stale');
      const awaited = this.#checked(key, policy, await this.#waitForHolder(store, key));
      if (awaited) return this.#keep(key, awaited, 'hit');
    }
    try {
      return await this.#load(key, policy, store, load, stale);
    } catch (error) {
      return this.#failed(key, policy, store, { error, stale, lease });
    }
  }

  async #load(key: string, policy: CachePolicy, store: SharedStore, load: Load, stale?: CacheEntry): Promise<Cached> {
    const started = monotonicMs();
    // What is read is as old as the beginning of the reading.
    const now = this.#clock.now();
    const loading = withDeadline(deadline() - LOAD_RESERVE_MS, () => load(stale));
    const loaded = await inTime(loading, this.#clock);
    const loadMs = monotonicMs() - started;
    const entry = makeEntry(loaded, loaded.freshSeconds ?? policy.freshSeconds, now);
    if (loaded.value !== undefined) this.#values.set(entry, loaded.value);
    // One that takes too long goes on without us.
    await inTime(store.write(key, entry), this.#clock).catch(() => {});
    const cached = this.#keep(key, entry, stateOf(loaded));
    // Making a body of what is cached tells nothing about the source.
    return cached.state === 'miss' ? { ...cached, loadMs } : cached;
  }

  async #failed(
    key: string,
    { leaseMs = LEASE_MS }: CachePolicy,
    store: SharedStore,
    { error, stale, lease }: { error: unknown; stale: CacheEntry | undefined; lease: string | undefined },
  ): Promise<Cached> {
    const now = this.#clock.now();
    if (error instanceof ApiError && error.status === 404) {
      await store.write(key, this.#keep(key, makeNotFound(error, now), 'miss').entry);
      throw error;
    }
    if (!stale || (error instanceof ApiError && error.status < 500)) {
      if (lease !== undefined) await store.release(key, lease);
      throw error;
    }
    // Whatever is no ApiError is a defect of ours.
    const level = error instanceof ApiError ? 'warn' : 'error';
    this.#telemetry[level]('refresh failed, serving stale', { key, error });
    return this.#keep(key, { ...stale, leaseUntil: now + leaseMs }, 'stale');
  }

  async #waitForHolder(store: SharedStore, key: string): Promise<CacheEntry | undefined> {
    for (const pause of WAITS_MS) {
      await this.#clock.wait(pause);
      const entry = await store.read(key);
      if (entry && this.#clock.now() < entry.freshUntil) return entry;
    }
    return undefined;
  }

  /** The entry, unless nothing can be made of it. */
  #checked(key: string, { check }: CachePolicy, entry: CacheEntry | undefined): CacheEntry | undefined {
    if (!entry || entry.notFound) return entry;
    try {
      check?.(entry);
      return entry;
    } catch (error) {
      this.#telemetry.warn('cached value cannot be read, taken for a miss', { key, error });
      return undefined;
    }
  }

  #keep(key: string, entry: CacheEntry, state: CacheState): Cached {
    this.#memory.set(key, entry);
    return { entry, state };
  }
}

function makeEntry(loaded: Loaded, freshSeconds: number, now: number): CacheEntry {
  const { body, contentType, value, block, next, momentary, basis = [] } = loaded;
  const freshMs = Math.round(freshSeconds * 1_000 * (1 - JITTER * Math.random()));
  const stale = basis.filter(({ state }) => state === 'stale');
  return {
    ...encode(body, contentType, value === undefined ? undefined : VALUE_GZIP_LEVEL),
    block,
    next,
    storedAt: Math.min(now, ...basis.map(({ entry }) => entry.storedAt)),
    maxAge: freshSeconds,
    freshUntil: Math.min(now + freshMs, ...basis.map(({ entry }) => entry.freshUntil)),
    staleUntil: Math.min(now + (momentary ? freshMs : STALE_MS), ...basis.map(({ entry }) => entry.staleUntil)),
    // Until what is stale may be refreshed, it would be the same body again.
    ...(stale.length > 0 && { leaseUntil: Math.min(...stale.map(({ entry }) => entry.leaseUntil ?? 0)) }),
  };
}

function serialized(value: unknown) {
  return { value, body: serialize(value), contentType: VALUE_TYPE };
}

/** Not of the serialized form: that also tells how V8 happens to hold a number or text, which differs from container to container. */
function contentHash(value: Plain): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return createHash('sha256').update(text).digest('base64url');
}

function makeNotFound({ code, message }: ApiError, now: number): CacheEntry {
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
