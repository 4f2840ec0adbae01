import type { BlockRef } from '../chain/rpc.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { Encoded } from './encoding.ts';

/** What is kept under a key. All times are unix milliseconds. */
export interface Entry extends Encoded {
  /** When its data was read from the source. */
  storedAt: number;
  freshUntil: number;
  staleUntil: number;
  block?: BlockRef | undefined;
  /** Set when the source said that the entity does not exist: then the body is the error's text. */
  notFound?: ErrorCode | undefined;
  /** Until when somebody is refreshing it, or when a refresh that failed may be tried again. */
  leaseUntil?: number | undefined;
}

/** A cache that containers share. It never throws: a store that is slow or down answers "nothing here" and "go ahead". */
export interface SharedStore {
  read(key: string): Promise<Entry | undefined>;
  write(key: string, entry: Entry): Promise<void>;
  /**
   * Takes the lease of a key for {@link LEASE_MS}. False if another container holds it, or has refreshed the item since it was
   * `seen`.
   */
  lease(key: string, seen: Entry | undefined): Promise<boolean>;
}

/** Longer than the longest refresh (the RPC budget and the table's time-outs), short enough to outlive a dead holder soon. */
export const LEASE_MS = 4_500;

/** For entries that are made from data which is shared already: every container keeps its own. */
export const UNSHARED: SharedStore = {
  read: async () => undefined,
  write: async () => {},
  lease: async () => true,
};
