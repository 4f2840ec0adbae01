import type { CacheEntry } from './cache-entry.ts';

/**
 * A cache shared by all containers. Only `peek` throws: a store that is slow or down reports a miss and grants every
 * lease.
 */
export interface SharedStore {
  read(key: string): Promise<CacheEntry | undefined>;
  /**
   * The entries of these keys, in one request. Unlike {@link read}, it rejects if the store fails or leaves any key
   * unread, and also asks it shortly after a failure.
   */
  peek(keys: readonly string[]): Promise<ReadonlyMap<string, CacheEntry>>;
  write(key: string, entry: CacheEntry): Promise<void>;
  /**
   * Takes the lease of a key and returns its owner's token, or undefined if another container holds it or has refreshed
   * the entry since it was `seen`.
   */
  lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined>;
  /** Releases a lease without a result, so that no container waits for it. Leaves another owner's lease alone. */
  release(key: string, token: string): Promise<void>;
}

/** For entries that each container keeps for itself. */
export const NO_TABLE: SharedStore = {
  read: async () => undefined,
  peek: async () => new Map(),
  write: async () => {},
  lease: async () => '',
  release: async () => {},
};
