import type { BlockRef } from '../chain/rpc.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { Encoded } from './encoding.ts';

/** What is kept under a key. All times are unix milliseconds. */
export interface Entry extends Encoded {
  /** When its data was read from the source. */
  storedAt: number;
  freshUntil: number;
  /** Seconds that clients may keep it, counted from `storedAt`. */
  maxAge: number;
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
  /** Takes the lease of a key. False if another container holds it, or has refreshed the entry since it was `seen`. */
  lease(key: string, seen: Entry | undefined, leaseMs: number): Promise<boolean>;
  /** Gives a lease back that led to nothing, so that nobody waits for it. */
  release(key: string): Promise<void>;
  /** Whether the store answers, whatever has happened before. */
  ping(): Promise<boolean>;
}

/** For entries that are made from data which is shared already: every container keeps its own. */
export const UNSHARED: SharedStore = {
  read: async () => undefined,
  write: async () => {},
  lease: async () => true,
  release: async () => {},
  ping: async () => true,
};
