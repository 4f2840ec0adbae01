/** Checks the headers of an answer, and the behaviour that they promise. */

import type { Answer, Json, Service } from './service.ts';

type Promised = Record<string, RegExp>;

/** On every answer. */
const ALWAYS: Promised = {
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /\bX-Block-Number\b/i,
  'cache-control': /^(no-store|public, .+)$/,
  'strict-transport-security': /^max-age=\d+/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /./,
};

/** On an answer that may be cached, and served stale if no newer one can be had. */
const CACHED: Promised = {
  'cache-control': /^public, max-age=\d+, stale-while-revalidate=\d+, stale-if-error=\d+$/,
  etag: /^"[\w-]+"$/,
  age: /^\d+$/,
  'cache-status': /\bstaking-data; (hit|fwd=miss|hit; detail=stale)\b/,
  // CloudFront replaces the service's value with its own.
  'x-cache': /^(hit|miss|stale|\w+ from cloudfront)$/i,
};

/** On an answer that must not be served stale, because it describes the current state of the service. */
const MOMENTARY: Promised = { ...CACHED, 'cache-control': /^public, max-age=\d+$/ };

/** On an answer with a single block, once it has one. */
const OF_BLOCK: Promised = { 'x-block-number': /^\d+$/, 'last-modified': / GMT$/ };

function broken(headers: Headers, promised: Promised): string[] {
  return Object.entries(promised)
    .filter(([name, form]) => !form.test(headers.get(name) ?? ''))
    .map(([name]) => `${name}: ${headers.get(name) ?? 'missing'}`);
}

/** Faults of the headers of an endpoint's answer. */
export function headerFaults({ document }: Service, path: string, { status, headers, body }: Answer): string[] {
  const faults = broken(headers, ALWAYS);
  if (status !== 200) return faults;
  const documented = document.paths[path].get.responses[200].headers;
  if (documented.ETag) faults.push(...broken(headers, path === '/health' ? MOMENTARY : CACHED));
  const mayLackBlock = body?.coverage && !body.block && !searchedBlock(body.coverage);
  if (documented['X-Block-Number'] && !mayLackBlock) faults.push(...broken(headers, OF_BLOCK));
  const { number, timestamp } = body?.block ?? searchedBlock(body?.coverage) ?? {};
  if (number !== undefined && headers.get('x-block-number') !== String(number)) {
    faults.push(`x-block-number: ${headers.get('x-block-number')}, the body says ${number}`);
  }
  if (timestamp !== undefined && Date.parse(headers.get('last-modified') ?? '') !== timestamp * 1_000) {
    faults.push(`last-modified: ${headers.get('last-modified')}, the body says ${timestamp}`);
  }
  return faults;
}

/** The last indexed block, if its time is known. */
export function searchedBlock({ toBlock, toTimestamp }: Json = {}): Json {
  return toTimestamp === undefined ? undefined : { number: toBlock, timestamp: toTimestamp };
}

/** Faults of the answers to the same request with other methods, and with `If-None-Match`. */
export async function repeatFaults({ request }: Service, url: string, { status, headers }: Answer): Promise<string[]> {
  const faults: string[] = [];
  const head = await request(url, { method: 'HEAD' });
  if (head.status !== status || head.body !== undefined) faults.push(`HEAD: status ${head.status}`);
  const preflight = await request(url, { method: 'OPTIONS' });
  if (preflight.status !== 204 || !/\bGET\b/.test(preflight.headers.get('access-control-allow-methods') ?? '')) {
    faults.push(`OPTIONS: status ${preflight.status}`);
  }
  const refused = await request(url, { method: 'POST' });
  if (refused.status !== 405 || !/\bGET\b/.test(refused.headers.get('allow') ?? ''))
    faults.push(`POST: status ${refused.status}`);
  const etag = headers.get('etag');
  if (!etag) return faults;
  const again = await request(url, { headers: { 'if-none-match': etag } });
  const renewed = again.status === 200 && again.headers.get('etag') !== etag;
  if (again.status !== 304 && !renewed) faults.push(`If-None-Match: status ${again.status}`);
  return faults;
}
