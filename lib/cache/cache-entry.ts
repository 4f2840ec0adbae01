/** Cache entries, made from the answers of a source, and the stores that keep them. */

import { type ApiError, type ErrorCode, NOT_FOUND_SECONDS } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { type Encoded, encode } from '../values/encoding.ts';

/** V8-serialized. */
export const VALUE_TYPE = 'application/x-v8';

/** All times are unix milliseconds of {@link Clock.now}; in the table, of the clocks of all containers. */
export interface CacheEntry extends Encoded {
  storedAt: number;
  freshUntil: number;
  /** Seconds for which clients may keep the body, counted from `storedAt`. */
  maxAge: number;
  staleUntil: number;
  block?: BlockRef | undefined;
  next?: string | undefined;
  /** HTTP, if not 200. */
  status?: number | undefined;
  /** Set if the entity does not exist; `body` is then the error's text. */
  notFound?: ErrorCode | undefined;
  /** End of the lease: until then a container refreshes the entry, or a failed refresh must not be retried. */
  leaseUntil?: number | undefined;
}

export interface CachePolicy {
  freshSeconds: number;
  /** True if all containers share the entry. Otherwise each keeps its own. */
  shared?: true | undefined;
  /** Maximum time in ms for which a refresh may hold the lease. */
  leaseMs?: number | undefined;
}

/** `hit`: fresh from memory or table. `miss`: just made. `stale`: old, or made from what is old, because a source cannot be read. */
export type CacheState = 'hit' | 'miss' | 'stale';

/** Time in seconds for which this cache, a browser or a CDN may serve an expired body while a newer one is fetched. */
export const STALE_WHILE_REVALIDATE_SECONDS = 60;

export interface Cached {
  entry: CacheEntry;
  state: CacheState;
  /** Time in ms that making the body took, if it was made for this request. */
  loadMs?: number;
}

export interface Loaded extends Pick<CacheEntry, 'block' | 'next' | 'status'> {
  body: string | Uint8Array;
  contentType: string;
  freshSeconds?: number | undefined;
  /** True if the body must never be served stale. */
  neverStale?: true | undefined;
  /** The value that `body` serializes. */
  value?: unknown;
  /** The cached values the body is made from: the body is as old as the oldest and fresh until the first one expires. */
  sources?: readonly Cached[];
}

/** Freshness in seconds of a body that lacks a source, which may be back soon. */
export const PARTIAL_FRESH_SECONDS = 15;
/** Maximum age in ms of an entry that is served while its source is down. */
const STALE_MS = 24 * 3_600_000;
/** Maximum fraction by which freshness is shortened, so that entries written together do not expire together. */
const JITTER = 0.1;
/** For serialized values. Shorter ones take one read unit anyway. This level takes half the default's time, for 4 % more bytes. */
const VALUE_GZIP = { from: 4_000, level: 1 };

export function createEntry(loaded: Loaded, freshSeconds: number, now: number): CacheEntry {
  const { body, contentType, block, next, status, neverStale, sources = [] } = loaded;
  const freshMs = Math.round(freshSeconds * 1_000 * (1 - JITTER * Math.random()));
  const stale = sources.filter(({ state }) => state === 'stale').map(({ entry }) => entry.leaseUntil ?? 0);
  return {
    ...encode(body, contentType, contentType === VALUE_TYPE ? VALUE_GZIP : undefined),
    ...{ block, next, status },
    storedAt: Math.min(now, ...sources.map(({ entry }) => entry.storedAt)),
    maxAge: freshSeconds,
    freshUntil: Math.min(now + freshMs, ...sources.map(({ entry }) => entry.freshUntil)),
    staleUntil: Math.min(now + (neverStale ? freshMs : STALE_MS), ...sources.map(({ entry }) => entry.staleUntil)),
    // Until its stale inputs may be refreshed, reloading would give the same body.
    ...(stale.length > 0 && { leaseUntil: Math.min(...stale) }),
  };
}

export function createNotFoundEntry({ code, message }: ApiError, now: number): CacheEntry {
  const loaded: Loaded = { body: message, contentType: 'text/plain', neverStale: true };
  return { ...createEntry(loaded, NOT_FOUND_SECONDS, now), notFound: code };
}

/** False for an entry that is dated in the future, by a clock that was ahead: it would be fresh for too long, even for years. */
export function isFresh({ storedAt, freshUntil }: CacheEntry, now: number): boolean {
  return storedAt <= now && now < freshUntil;
}

/** True if an entry has expired so recently that a newer one would hardly differ. */
export function hasJustExpired({ freshUntil }: CacheEntry, now: number): boolean {
  return now < freshUntil + STALE_WHILE_REVALIDATE_SECONDS * 1_000;
}

/** A cache shared by all containers. It never throws: while it is slow or down, it reports misses and grants every lease. */
export interface SharedStore {
  read(key: string): Promise<CacheEntry | undefined>;
  write(key: string, entry: CacheEntry): Promise<void>;
  lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined>;
  release(key: string, token: string): Promise<void>;
  ping(): Promise<boolean>;
}

/** Of a function's 1 GB of memory. */
export const MAX_BYTES = 64_000_000;
/** Size of a deserialized value as a multiple of its compressed size (500 minipools: 50 kB and 460 kB, 2026-11). */
const VALUE_FACTOR = 10;
/** The object, its strings, its slot in the map. */
const ENTRY_OVERHEAD_BYTES = 500;

/** An LRU cache of the entries that this container has seen. */
export class MemoryStore {
  readonly #entries = new Map<string, CacheEntry>();
  #bytes = 0;

  get(key: string): CacheEntry | undefined {
    const entry = this.#take(key);
    // A Map iterates in insertion order: moving the entry to the end keeps the order of use.
    if (entry) this.set(key, entry);
    return entry;
  }

  set(key: string, entry: CacheEntry): void {
    this.#take(key);
    this.#entries.set(key, entry);
    this.#bytes += costOf(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#take(oldest);
    }
  }

  #take(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry && this.#entries.delete(key)) this.#bytes -= costOf(key, entry);
    return entry;
  }
}

function costOf(key: string, { body, contentType }: CacheEntry): number {
  return key.length + body.byteLength * (contentType === VALUE_TYPE ? VALUE_FACTOR : 1) + ENTRY_OVERHEAD_BYTES;
}
