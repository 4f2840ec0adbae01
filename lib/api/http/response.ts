/** `lib/api/http`: HTTP alone: parameters as they are sent, content negotiation, headers, CSV. No endpoint. */

import { type Cached, type CacheState, STALE_WHILE_REVALIDATE_SECONDS } from '../../cache/cache-entry.ts';
import { bare } from '../../runtime/config.ts';
import { type ApiError, NOT_FOUND_SECONDS, toProblem } from '../../runtime/errors.ts';
import type { BlockRef } from '../../values/block.ts';
import { decode } from '../../values/encoding.ts';
import { acceptsGzip } from './negotiation.ts';

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
  /** The age of the data in seconds, and the time in ms that making it took. Undefined if the body did not come from the cache. */
  served?: { cache: CacheState; age: number; block?: BlockRef | undefined; loadMs?: number | undefined };
  /** True for a 503 because no source answers. Not set if the protocol has no such figure now. For the metrics. */
  unanswered?: boolean;
}

/** Headers that scripts of other origins may read (CORS). */
export const EXPOSED_HEADERS = [
  'Age',
  'Cache-Control',
  'Cache-Status',
  'Content-Disposition',
  'Content-Encoding',
  'Deprecation',
  'ETag',
  'Link',
  'Retry-After',
  'Server-Timing',
  'Sunset',
  'X-Block-Number',
  'X-Cache',
  'X-Request-Id',
];

/** For `Allow`, and for the answers to CORS preflights. */
export const ALLOWED_METHODS = 'GET,HEAD,OPTIONS';
export const READ_ONLY = `This API is read-only: use ${ALLOWED_METHODS}.`;
/** Time in seconds for which a browser may keep the answer to a preflight. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** Options of middy's CORS. */
export const CORS = {
  origin: '*',
  methods: ALLOWED_METHODS,
  headers: '*',
  exposeHeaders: EXPOSED_HEADERS.join(', '),
  maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  disableBeforePreflightResponse: false,
};

/** Sent with every response, errors included. CloudFront, where TLS ends, adds HSTS: plain HTTP must not have it (RFC 6797, 7.2). */
export const SECURITY_HEADERS = { 'X-Content-Type-Options': 'nosniff' };

/** Time in seconds for which a browser or CDN may show an expired body while the API is failing. */
const STALE_IF_ERROR_SECONDS = 86_400;
const STALE = `stale-while-revalidate=${STALE_WHILE_REVALIDATE_SECONDS}, stale-if-error=${STALE_IF_ERROR_SECONDS}`;
/**
 * Time in seconds for which clients and CDNs may keep a body that was stale already: about the cache's lease. Otherwise, a
 * CDN would pass on every request of every client while a source is down.
 */
const STALE_KEPT_SECONDS = 5;

/** The value of `X-Cache` in the syntax of RFC 9211, because CloudFront and other caches overwrite `X-Cache`. */
const CACHE_STATUS: Record<CacheState, string> = {
  hit: 'staking-data; hit',
  miss: 'staking-data; fwd=miss',
  stale: 'staking-data; hit; detail=stale',
};

/**
 * A cached body with its validators, or a 304 if the client has the body already. A status other than 200 is always sent
 * in full: `If-None-Match` only applies to a 200. `now` is in ms; `byAccept`: the response depends on `Accept`.
 */
export function cachedResponse(
  { headers, query }: Request,
  { entry, state, loadMs }: Cached,
  answer: { now: number; contentType: string; byAccept: boolean; fileName?: string | undefined },
): Response {
  const { now, contentType, byAccept, fileName } = answer;
  const { status = 200, next } = entry;
  const gzip = entry.gzip && acceptsGzip(headers['accept-encoding'] ?? '');
  const isKnown = status === 200 && hasTag(headers['if-none-match'] ?? '', entry.etag);
  const age = Math.max(0, Math.floor((now - entry.storedAt) / 1_000));
  const maxAge = state === 'stale' ? Math.max(entry.maxAge, age + STALE_KEPT_SECONDS) : entry.maxAge;
  const fresh = `public, max-age=${maxAge}`;
  return {
    status: isKnown ? 304 : status,
    headers: {
      'Content-Type': contentType,
      // A body that must never be served stale is not kept longer than it is fresh.
      'Cache-Control': entry.staleUntil > entry.freshUntil ? `${fresh}, ${STALE}` : fresh,
      // A strong validator names exact bytes, so the two encodings of a body have two.
      ETag: gzip ? `"${entry.etag}-gzip"` : `"${entry.etag}"`,
      Age: String(age),
      Vary: byAccept ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
      'X-Cache': state,
      'Cache-Status': CACHE_STATUS[state],
      // No `Last-Modified`: bodies of the same second may differ, and caches in front would answer 304 by it.
      ...(entry.block && { 'X-Block-Number': String(entry.block.number) }),
      ...(loadMs !== undefined && { 'Server-Timing': `upstream;dur=${loadMs.toFixed(1)}` }),
      ...(gzip && { 'Content-Encoding': 'gzip' }),
      ...(fileName && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
      ...(next && { Link: `<?${withCursor(query, next)}>; rel="next"` }),
    },
    body: isKnown ? '' : gzip ? entry.body : decode(entry).toString(),
    served: { cache: state, age, block: entry.block, loadMs },
    ...(status === 503 && { unanswered: true }),
  };
}

export function uncachedResponse(body: unknown): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: JSON.stringify(body) };
}

/** The query of the next page, for `Link` (RFC 8288). */
function withCursor(query: Request['query'], cursor: string): URLSearchParams {
  const params = Object.entries({ ...query, cursor: [cursor] });
  return new URLSearchParams(params.flatMap(([name, values]) => values.map((value) => [name, value])));
}

export function pageResponse(request: Request, page: string): Response {
  const headers = { Location: linkTo(page, request), 'Cache-Control': 'no-store', Vary: 'Accept' };
  return { status: 303, headers, body: '' };
}

/** A link from the requested path to a page. It is relative: only the browser has the full URL, which may have a stage. */
export function linkTo(page: string, { path, url }: Pick<Request, 'path' | 'url'>): string {
  const stage = /([^/]+)$/.exec(url)?.[1];
  if (path === '/' && stage) return `${stage}/${page}`;
  return `${'../'.repeat(path.split('/').length - 2)}${page}`;
}

/** An RFC 9457 problem. Only "no such entity" may be kept by clients, and only briefly. */
export function problemResponse(error: ApiError, requestId: string): Response {
  const isEntity = error.status === 404 && error.code !== 'NOT_FOUND';
  return {
    status: error.status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': isEntity ? `public, max-age=${NOT_FOUND_SECONDS}` : 'no-store',
      ...error.headers,
    },
    body: JSON.stringify(toProblem(error, requestId)),
    // Without a cause, all sources have answered.
    unanswered: error.code === 'UPSTREAM_UNAVAILABLE' && error.cause !== undefined,
  };
}

/** True if `If-None-Match` has the tag. It compares weakly: a proxy may have added `W/`, and either encoding matches. */
function hasTag(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\/|-gzip(?="$)/g, ''));
  return tags.includes('*') || tags.includes(`"${etag}"`);
}

/** The end of the protocol's operations, unix seconds (Hypha's announcement of July 2026). */
const DEPRECATED_AT = Date.UTC(2026, 7, 15) / 1_000;

/**
 * Headers of a service with a last day (`ENDS_ON=2026-12-31`): `Sunset` (RFC 8594), the end of that day in UTC, `Deprecation`
 * (RFC 9745), and a link to the guide after an answer's own `link`. `base` is the path of the API's root, without a slash.
 */
export function sunsetHeaders(endsOn: string | undefined, base = '', link?: unknown): Record<string, string> {
  const day = bare(endsOn);
  if (!day) return {};
  const end = Date.parse(`${day}T23:59:59Z`);
  return {
    Sunset: new Date(end).toUTCString(),
    Deprecation: `@${Math.min(DEPRECATED_AT, Math.floor(end / 1_000))}`,
    Link: [link, `<${base}/docs/guide>; rel="sunset"`].filter(Boolean).join(', '),
  };
}
