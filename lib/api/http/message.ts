/**
 * `lib/api/http`: HTTP alone: parameters as they are sent, content negotiation, headers, CSV, logs. Knows no endpoint.
 */

import type { CacheState } from '../../cache/cache-entry.ts';
import type { BlockRef } from '../../values/block.ts';

export interface Request {
  method: string;
  /** Path as the client sent it, with the stage. */
  url: string;
  /** Path without the stage. */
  path: string;
  headers: Record<string, string>;
  params: Record<string, string>;
  query: Record<string, string[]>;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  /** Bytes are a compressed body. */
  body: string | Uint8Array;
  /** Undefined if the body did not come through the cache. */
  served?: Served;
  /** True for a 503 because no source answers. Not set if the protocol has no such figure now. For the metrics. */
  unanswered?: boolean;
}

export interface Served {
  cache: CacheState;
  /** Seconds since its data was read. */
  age: number;
  block?: BlockRef | undefined;
  /** Time in ms that the source took, if it was read for this request. */
  loadMs?: number | undefined;
}
