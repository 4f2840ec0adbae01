import type { CacheEntry } from './cache-entry.ts';

/** A cache shared by all containers. It never throws: while it is slow or down, it reports misses and grants every lease. */
export interface SharedStore {
  read(key: string): Promise<CacheEntry | undefined>;
  write(key: string, entry: CacheEntry): Promise<void>;
  /**
   * Takes the lease of a key and returns its owner's token, or undefined if another container holds it or has refreshed
   * the entry since it was `seen`.
   */
  lease(key: string, seen: CacheEntry | undefined, leaseMs: number): Promise<string | undefined>;
  /** Releases a lease without a result, so that no container waits for it. Leaves another owner's lease alone. */
  release(key: string, token: string): Promise<void>;
  /** True if the store answers. Asks also shortly after a failure. */
  ping(): Promise<boolean>;
}

/** For entries that each container keeps for itself. */
export const NO_TABLE: SharedStore = {
  read: async () => undefined,
  write: async () => {},
  lease: async () => '',
  release: async () => {},
  ping: async () => true,
};
