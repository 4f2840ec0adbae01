/** Headers that each answer has to have. */

// biome-ignore lint/suspicious/noExplicitAny: bodies and documents of any shape
type Json = any;

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

type Promised = Record<string, RegExp>;

/** On every answer. */
const ALWAYS: Promised = {
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /\bX-Block-Number\b/i,
  'cache-control': /^(no-store|public, .+)$/,
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
const OF_BLOCK: Promised = { 'x-block-number': /^\d+$/ };

function broken(headers: Headers, promised: Promised): string[] {
  return Object.entries(promised)
    .filter(([name, form]) => !form.test(headers.get(name) ?? ''))
    .map(([name]) => `${name}: ${headers.get(name) ?? 'missing'}`);
}

/** Faults of the headers of an endpoint's answer. */
export function headerFaults(document: Json, path: string, { status, headers, body }: Answer): string[] {
  const faults = broken(headers, ALWAYS);
  if (status !== 200) return faults;
  const documented = document.paths[path].get.responses[200].headers;
  if (documented.ETag) faults.push(...broken(headers, path === '/health' ? MOMENTARY : CACHED));
  const mayLackBlock = body?.coverage && !body.block && !searchedBlock(body.coverage);
  if (documented['X-Block-Number'] && !mayLackBlock) faults.push(...broken(headers, OF_BLOCK));
  const { number } = body?.block ?? searchedBlock(body?.coverage) ?? {};
  if (number !== undefined && headers.get('x-block-number') !== String(number)) {
    faults.push(`x-block-number: ${headers.get('x-block-number')}, the body says ${number}`);
  }
  return faults;
}

/** The last indexed block, if its time is known. */
function searchedBlock({ toBlock, toTimestamp }: Json = {}): Json {
  return toTimestamp === undefined ? undefined : { number: toBlock, timestamp: toTimestamp };
}
