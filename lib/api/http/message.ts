/**
 * `lib/api/http`: HTTP alone: parameters as they are sent, what a client prefers, headers, status codes, CSV, logs. It
 * knows no endpoint. `answer.ts` and `endpoint.ts` use it.
 */

import type { CacheState } from '../../cache/cache-entry.ts';
import type { BlockRef } from '../../values/block.ts';

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
  /** Where a body that came through the cache was found; for the log and the metrics. */
  served?: Served;
  /** True for a 503 because no source answers, not for one because the protocol lacks a figure now. For the metrics. */
  unanswered?: boolean;
}

/** Where a body was found, and how old it is. */
export interface Served {
  cache: CacheState;
  /** Seconds since its data was read. */
  age: number;
  block?: BlockRef | undefined;
  /** How long the source took, milliseconds, if it was read for this. */
  loadMs?: number | undefined;
}
