import { type Cached, NOT_FOUND_SECONDS } from '../cache/cache.ts';
import { decode } from '../cache/encoding.ts';
import { type ApiError, problemOf } from './errors.ts';
import type { Request, Response } from './message.ts';

/** Headers that scripts of other origins may read (CORS). */
export const EXPOSED_HEADERS = [
  'Age',
  'Cache-Control',
  'Content-Encoding',
  'ETag',
  'Last-Modified',
  'Retry-After',
  'Server-Timing',
  'X-Block-Number',
  'X-Cache',
  'X-Request-Id',
];

/** Sent with every response, errors included. */
export const SECURITY_HEADERS = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
};

/** How long a browser or CDN may show an expired body while it asks for a new one, and while the API is failing. */
const STALE_WHILE_REVALIDATE_SECONDS = 60;
const STALE_IF_ERROR_SECONDS = 86_400;

/** A cached body with its validators: a 200 or, if the client has it already, a 304. No JSON is parsed or written. */
export function cachedResponse({ headers }: Request, { entry, state, loadMs }: Cached): Response {
  const gzip = entry.gzip && acceptsGzip(headers['accept-encoding'] ?? '');
  const known = hasTag(headers['if-none-match'] ?? '', entry.etag);
  return {
    status: known ? 304 : 200,
    headers: {
      'Content-Type': entry.contentType,
      'Cache-Control': `public, max-age=${entry.maxAge}, stale-while-revalidate=${STALE_WHILE_REVALIDATE_SECONDS}, stale-if-error=${STALE_IF_ERROR_SECONDS}`,
      // A strong validator names exact bytes, so the two encodings of a body have two.
      ETag: gzip ? `"${entry.etag}-gzip"` : `"${entry.etag}"`,
      Age: String(Math.max(0, Math.floor((Date.now() - entry.storedAt) / 1_000))),
      Vary: 'Accept-Encoding',
      'X-Cache': state,
      ...(entry.block && {
        'Last-Modified': new Date(entry.block.timestamp * 1_000).toUTCString(),
        'X-Block-Number': String(entry.block.number),
      }),
      ...(loadMs !== undefined && { 'Server-Timing': `upstream;dur=${loadMs.toFixed(1)}` }),
      ...(gzip && { 'Content-Encoding': 'gzip' }),
    },
    body: known ? '' : gzip ? entry.body : decode(entry).toString(),
  };
}

/** Sends a browser to a page beside the endpoint. */
export function pageResponse({ url }: Request, page: string): Response {
  const headers = { Location: url.replace(/\/?$/, `/${page}`), 'Cache-Control': 'no-store', Vary: 'Accept' };
  return { status: 303, headers, body: '' };
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
    body: JSON.stringify(problemOf(error, requestId)),
  };
}

function acceptsGzip(accepted: string): boolean {
  return accepted.split(',').some((coding) => {
    const [name = '', quality = 'q=1'] = coding.split(';').map((part) => part.trim().toLowerCase());
    return (name === 'gzip' || name === '*') && Number(quality.replace('q=', '')) > 0;
  });
}

/** If-None-Match compares weakly: a proxy may have marked the tag `W/`, and either encoding of the body will do. */
function hasTag(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/-gzip"$/, '"'),
  );
  return tags.includes('*') || tags.includes(`"${etag}"`);
}
