import type { BlockRef } from '../block.ts';
import type { Encoded } from '../http/encoding.ts';
import type { ErrorCode } from '../http/errors.ts';

/** The content type of a value's serialized form: where it is kept, the value itself is at hand, too. */
export const VALUE_TYPE = 'application/x-v8';

/** What is kept under a key. All times are unix milliseconds. */
export interface CacheEntry extends Encoded {
  /** When its data was read from the source. */
  storedAt: number;
  freshUntil: number;
  /** Seconds that clients may keep it, counted from `storedAt`. */
  maxAge: number;
  staleUntil: number;
  block?: BlockRef | undefined;
  /** The cursor of what comes next, of an entry that is not shared. */
  next?: string | undefined;
  /** Set when the source said that the entity does not exist: then the body is the error's text. */
  notFound?: ErrorCode | undefined;
  /** Until when somebody is refreshing it, or when a refresh that failed may be tried again. */
  leaseUntil?: number | undefined;
}

/** A cache that containers share. It never throws: a store that is slow or down answers "nothing here" and "go ahead". */
export interface SharedStore {
  read(key: string): Promise<CacheEntry | undefined>;
  write(key: string, entry: CacheEntry): Promise<void>;
  /**
   * Takes the lease of a key and gives the token of its owner, or undefined if another container holds it or has refreshed the
   * entry since it was `seen`.
   */
  lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined>;
  /** Gives a lease back that led to nothing, so that nobody waits for it. That of another owner stays. */
  release(key: string, token: string): Promise<void>;
  /** Whether the store answers, whatever has happened before. */
  ping(): Promise<boolean>;
}

/** For entries that are made from data which is shared already: every container keeps its own. */
export const UNSHARED: SharedStore = {
  read: async () => undefined,
  write: async () => {},
  lease: async () => '',
  release: async () => {},
  ping: async () => true,
};
