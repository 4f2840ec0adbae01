/** Makes the response of an endpoint from a request, independent of the caller. */

import { withDatasets } from '../cache/cache.ts';
import { type Cached, type Loaded, PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import type { Coverage } from '../ledger/coverage.ts';
import { deadline, withDeadline } from '../runtime/deadline.ts';
import { ApiError, badParameter, notKnownYet } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/lambda-runtime.ts';
import type { BlockRef } from '../values/block.ts';
import { decode } from '../values/encoding.ts';
import { isoDay } from '../values/iso-time.ts';
import { type Endpoint, type Format, JSON_FORMAT } from './definition.ts';
import { CSV } from './http/csv.ts';
import { canonicalText, parseInput } from './http/input.ts';
import { preferredFormat } from './http/negotiation.ts';
import {
  ALLOWED_METHODS,
  cachedResponse,
  pageResponse,
  READ_ONLY,
  type Request,
  type Response,
  uncachedResponse,
} from './http/response.ts';
import { hasTemporaryGaps, type Reason } from './reasons.ts';
import type { Services } from './services.ts';

/** Maximum number of rows of a file that is requested without `limit`; about as many take 4 MB. */
const MAX_FILE_ROWS = 10_000;
/** Maximum bytes of an uncompressed list: well below Lambda's limit of a response, 6 MB. */
const MAX_LIST_BYTES = 4_000_000;
const INCOMPLETE =
  'Some data is not available at the moment. Request JSON: its `coverage` or `partial` shows what is missing.';

/** Returns the response of an endpoint: from the cache, or made now. Throws what the endpoint's handler throws. */
export async function respond(endpoint: Endpoint, request: Request, runtime: Runtime<Services>): Promise<Response> {
  const started = runtime.clock.now();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', READ_ONLY, { headers: { Allow: ALLOWED_METHODS } });
  }
  const preferred = preferredFormat(endpoint.formats, request);
  const { page } = endpoint.formats[preferred] as Format;
  if (page && request.query.format === undefined) return pageResponse(request, page);
  const { format = preferred, ...asked } = parseInput(endpoint.input, request) as Parsed;
  const context = await runtime.context();
  const answer = () => send(endpoint, request, context, format, asked);
  return withDeadline(deadline(), answer, started + context.limits.optionalMs);
}

/** The parameters that matter to every endpoint that takes them. */
type Parsed = {
  format?: string;
  limit?: number;
  from?: number;
  to?: number;
  year?: number;
  currency?: string;
  address?: string | readonly string[];
};

async function send(
  endpoint: Endpoint,
  request: Request,
  context: Services,
  name: string,
  asked: Parsed,
): Promise<Response> {
  const { freshSeconds, formats, shared } = endpoint;
  const format = formats[name] as Format;
  const isNamed = request.query.format !== undefined;
  // A saved file cannot show that it is only the first page.
  const hasAllRows = format.write !== undefined && asked.limit !== undefined && !request.query.limit;
  const wanted = hasAllRows ? { ...asked, limit: MAX_FILE_ROWS } : asked;
  const input = (await endpoint.normalizeInput?.(wanted, context)) ?? wanted;
  if (freshSeconds === 0) return uncachedResponse(await endpoint.handle(input, withDatasets(context, [])));
  const key = `${endpoint.path}#${canonicalText(input)}`;
  const json = () =>
    context.cache.get(key, { freshSeconds, shared }, async () => {
      const loaded = await load(endpoint, input, context);
      if ('limit' in endpoint.input.shape && !hasAllRows && Buffer.byteLength(loaded.body) > MAX_LIST_BYTES)
        throw badParameter(
          'limit',
          `${asked.limit === undefined ? 'is required' : 'must be smaller'}: the entries do not fit in 4 MB`,
        );
      return loaded;
    });
  const cached = format.write
    ? await context.cache.get(`${key}#${name}`, { freshSeconds }, async () =>
        writeFile(endpoint, format, input, hasAllRows, await json()),
      )
    : await json();
  return cachedResponse(request, cached, {
    now: context.clock.now(),
    contentType: format.contentType,
    byAccept: !isNamed && Object.keys(formats).length > 1,
    fileName: isNamed && format.write ? fileName(endpoint, request, asked, name) : undefined,
  });
}

/**
 * The name of a downloaded file: `prices-tj-history.csv` for `/prices/tj/history`. The requested period is part of the
 * name, so that the files of several years differ: `…-2026.csv`, `…-from-2026-01-01-to-2026-12-31.csv`. The number of
 * addresses, the currency and the program that reads the file are part of the name, too.
 */
function fileName(
  { path, formats }: Endpoint,
  { params }: Request,
  { address, year, from, to, currency = 'usd' }: Parsed,
  format: string,
): string {
  const filled = path.replace(/\.\w+$/, '').replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const isCSV = formats[format]?.contentType.startsWith(CSV);
  const parts = [
    ...(filled.match(/\w+/g) ?? []),
    Array.isArray(address) && `${address.length}-addresses`,
    year,
    from !== undefined && `from-${isoDay(from)}`,
    to !== undefined && `to-${isoDay(to)}`,
    isCSV && format !== 'csv' && `${currency}-${format}`,
  ];
  return `${parts.filter((part) => part).join('-')}.${isCSV ? 'csv' : format}`;
}

/**
 * A file from a cached body, with the age and freshness of that body. Throws UPSTREAM_UNAVAILABLE if the body lacks data
 * that may be available soon, or is not confirmed: a file cannot show that. Throws INVALID_REQUEST, naming `limit`, if
 * the file must have all rows and is too long.
 */
function writeFile(
  { response, validUntil }: Endpoint,
  { contentType, write }: Format,
  input: Parsed,
  hasAllRows: boolean,
  answer: Cached,
): Loaded {
  const body = JSON.parse(decode(answer.entry).toString());
  if (hasTemporaryGaps(body)) throw new ApiError('UPSTREAM_UNAVAILABLE', INCOMPLETE);
  requireKnown(body, validUntil?.(input));
  const text = write?.(body as never, input as never, response()) ?? '';
  const { block, maxAge, next } = answer.entry;
  if (hasAllRows && (next || Buffer.byteLength(text) > MAX_LIST_BYTES)) {
    throw badParameter('limit', 'is required: the rows do not fit in one file. Page with limit and cursor');
  }
  return { body: text, contentType, block, freshSeconds: maxAge, next, sources: [answer] };
}

/** Throws NOT_KNOWN_YET if a body lacks events up to a time (unix seconds; default: those not indexed yet). */
function requireKnown({ coverage }: Body, time = 0): void {
  if (!isOne(coverage)) return;
  const { complete, toTimestamp } = coverage;
  if (!complete) throw notKnownYet(INCOMPLETE);
  if (time > toTimestamp) throw notKnownYet(INCOMPLETE, toTimestamp);
}

function isOne(coverage: Body['coverage']): coverage is Coverage {
  return coverage !== undefined && 'toBlock' in coverage;
}

/** The fields of a body that describe the body itself. */
interface Body {
  block?: BlockRef;
  nextCursor?: string;
  /** One coverage, or one for each source. */
  coverage?: Coverage | Record<string, Coverage | undefined>;
  reasons?: Record<string, Reason>;
}

/** The JSON of a body, with all values that its response needs, so that the body is not parsed again. */
async function load(endpoint: Endpoint, input: unknown, context: Services): Promise<Loaded> {
  const sources: Cached[] = [];
  const body: Body = await endpoint.handle(input, withDatasets(context, sources));
  return {
    body: JSON.stringify(body),
    contentType: JSON_FORMAT.contentType,
    status: endpoint.status?.(body),
    block: oldestBlock(body, sources),
    next: body.nextCursor,
    freshSeconds: hasTemporaryGaps(body) ? PARTIAL_FRESH_SECONDS : undefined,
    neverStale: endpoint.neverStale,
    sources,
  };
}

/**
 * The block that a body describes. A body made from the ledger only describes the last indexed block. A bare value cannot
 * name a block: its block is that of the dataset it is made from.
 */
function oldestBlock(body: Body, sources: readonly Cached[]): BlockRef | undefined {
  if (typeof body !== 'object') return sources[0]?.entry.block;
  if (body.block) return body.block;
  const { coverage = {} } = body;
  const all = isOne(coverage) ? [coverage] : Object.values(coverage);
  const blocks = all.flatMap((one) => (one ? { number: one.toBlock, timestamp: one.toTimestamp } : []));
  return blocks.sort((a, b) => a.number - b.number)[0];
}
