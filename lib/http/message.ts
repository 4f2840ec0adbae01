import type { BlockRef } from '../block.ts';

/** Where a body comes from: fresh from memory or table, just made, or old because its source cannot be read. */
export type CacheState = 'hit' | 'miss' | 'stale';

/** A request, as handlers see it: what API Gateway's event says, without its nulls and spellings. */
export interface Request {
  method: string;
  /** Path as the client sent it. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Query parameters with every value given. */
  query: Record<string, string[]>;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  /** Bytes are a compressed body. */
  body: string | Uint8Array;
  /** What is told of a body that comes through the cache. */
  served?: Served;
  /** True when this is a 503 because no source answers; there are figures that the protocol just does not have now. */
  unanswered?: boolean;
}

/** Where a body has come from, and how old it is. */
export interface Served {
  cache: CacheState;
  /** Seconds since its data was read. */
  age: number;
  block?: BlockRef | undefined;
  /** How long the source took, milliseconds, if it was read for this. */
  loadMs?: number | undefined;
}
