/** How an endpoint makes a response from a request, wherever that comes from. */

import { type Cached, type Loaded, PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import { withDatasets } from '../cache/dataset.ts';
import { cacheOf } from '../cache/table.ts';
import { ADDRESSES_KEY } from '../chain/chain.ts';
import type { Context } from '../runtime/context.ts';
import { deadline, withDeadline } from '../runtime/deadline.ts';
import { ApiError, badParameter } from '../runtime/errors.ts';
import { frozenHeader } from '../runtime/frozen.ts';
import type { Runtime } from '../runtime/lambda-runtime.ts';
import type { BlockRef } from '../values/block.ts';
import { decode } from '../values/encoding.ts';
import { isoDay } from '../values/iso-time.ts';
import type { coverageBody } from './bodies/coverage-body.ts';
import { lacksSource } from './bodies/partial-body.ts';
import type { Endpoint } from './definition.ts';
import { CSV, toCSV } from './http/csv.ts';
import { canonicalText, parseInput } from './http/input.ts';
import type { Request, Response } from './http/message.ts';
import { prefers } from './http/negotiation.ts';
import {
  ALLOWED_METHODS,
  cachedResponse,
  listResponse,
  numberResponse,
  pageResponse,
  READ_ONLY,
} from './http/response.ts';
import { MAX_LIST_BYTES } from './lists.ts';

/** Rows of a file that is asked for without `limit`; about as many take 4 MB. */
const MAX_FILE_ROWS = 10_000;
const INCOMPLETE =
  'Some of the data is not available at the moment, which CSV could not show. Ask for JSON: see `coverage` or `partial`.';

/**
 * Begins to read what a container's first answer may need: the protocol's addresses, and the body for a request without
 * parameters. If it needs neither, the connection to the table is at least open.
 */
export function prefetch(endpoint: Endpoint, context: Context): void {
  const { input, freshSeconds, inTable } = endpoint;
  // Only bodies that the table keeps can be read ahead.
  const mayHaveBody = inTable && freshSeconds > 0;
  const { success, data } = mayHaveBody ? input.safeParse({}) : { success: false };
  cacheOf(context).prefetch([ADDRESSES_KEY, ...(success ? [bodyKey(endpoint, data)] : [])]);
}

function bodyKey({ path }: Endpoint, input: object): string {
  return `${path}#${canonicalText(input)}`;
}

/** The answer of an endpoint to a request: from the cache, or made now. Throws what its handler throws. */
export async function respond(endpoint: Endpoint, request: Request, runtime: Runtime): Promise<Response> {
  const started = Date.now();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', READ_ONLY, {
      headers: { Allow: ALLOWED_METHODS },
    });
  }
  const { page } = endpoint;
  if (page && /\btext\/html\b/.test(request.headers.accept ?? '')) return pageResponse(request, page);
  const parsed = parseInput(endpoint.input, request);
  const context = await runtime.context();
  const work = () => answer(endpoint, request, context, parsed);
  const response = await withDeadline(deadline(), work, started + context.limits.optionalMs);
  return { ...response, headers: { ...response.headers, ...frozenHeader(context.frozen) } };
}

async function answer(
  endpoint: Endpoint,
  request: Request,
  context: Context,
  { format, ...asked }: Record<string, unknown>,
): Promise<Response> {
  const { freshSeconds, inTable } = endpoint;
  const form = endpoint.rows ? (format ?? endpoint.defaultFile ?? (prefers(CSV, request) ? 'csv' : 'json')) : 'json';
  // A file that is saved could not say that it is only the first page.
  const isWhole = form !== 'json' && asked.limit !== undefined && !request.query.limit;
  const wanted = isWhole ? { ...asked, limit: MAX_FILE_ROWS } : asked;
  const input = (await endpoint.normalizeInput?.(wanted, context)) ?? wanted;
  if (freshSeconds === 0) return uncached(await endpoint.handle(input, withDatasets(context, [])));
  const key = bodyKey(endpoint, input);
  const json = () => cacheOf(context).get(key, { freshSeconds, inTable }, () => load(endpoint, input, context));
  if (!endpoint.rows) {
    const cached = await json();
    return isNumber(cached) ? numberResponse(request, cached) : withStatus(endpoint, request, cached);
  }
  if (form === 'json') return listResponse(request, await json());
  const file = await cacheOf(context).get(`${key}#${form}`, { freshSeconds }, async () =>
    asFile(endpoint, { form: String(form), isWhole, input }, await json()),
  );
  return listResponse(request, file, format ? fileName(endpoint, request, asked, String(format)) : undefined);
}

/**
 * `/prices/tj/history` is `prices-tj-history.csv`. The period that is asked for is part of the name, so that the files of
 * several years can be told apart: `…-from-2026-01-01-to-2026-12-31.csv`; so is the program that a file is for.
 */
function fileName(
  { path, files }: Endpoint,
  { params }: Request,
  asked: Record<string, unknown>,
  format: string,
): string {
  const filled = path.replace(/\.\w+$/, '').replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const period = ['from', 'to'].flatMap((name) => {
    const time = asked[name];
    return typeof time === 'number' ? `${name}-${isoDay(time)}` : [];
  });
  const isCsv = !files?.[format]?.contentType;
  const program = isCsv && format !== 'csv' ? [format] : [];
  return `${[...(filled.match(/\w+/g) ?? []), ...period, ...program].join('-')}.${isCsv ? 'csv' : format}`;
}

/**
 * The rows of a cached body as a file, with the age and freshness of that body. Throws UPSTREAM_UNAVAILABLE if data is
 * missing, or not confirmed: the body says so, but rows would look like all there is. Throws INVALID_REQUEST, naming `limit`, if they should be all
 * there is and are too many.
 */
function asFile(
  { rows = '', rowsUntil, files, response }: Endpoint,
  { form, isWhole, input }: { form: string; isWhole: boolean; input: unknown },
  answer: Cached,
): Loaded {
  const body = JSON.parse(decode(answer.entry).toString());
  const isConfirmed = !body.coverage || isConfirmedUntil(body.coverage, rowsUntil?.(input));
  if (lacksSource(body) || !isConfirmed) throw new ApiError('UPSTREAM_UNAVAILABLE', INCOMPLETE);
  const file = files?.[form];
  const text = file?.write(body) ?? toCSV(response().shape[rows], body[rows]);
  if (isWhole && (body.nextCursor || Buffer.byteLength(text) > MAX_LIST_BYTES)) {
    throw badParameter('limit', 'is required: all rows do not fit in one file. Page with limit and cursor');
  }
  return {
    body: text,
    contentType: file?.contentType ?? `${CSV}; charset=utf-8; header=present`,
    block: answer.entry.block,
    freshSeconds: answer.entry.maxAge,
    next: body.nextCursor,
    sources: [answer],
  };
}

/** Whether a body has every event up to a time (unix seconds), and all of them are confirmed. By default up to now. */
function isConfirmedUntil(coverage: CoverageBody, time = Number.POSITIVE_INFINITY): boolean {
  const { complete, confirmedBlock, toBlock, toTimestamp } = coverage;
  return complete || (confirmedBlock === toBlock && time <= toTimestamp);
}

/** Whether a body is a bare number: those are too short to be compressed. */
function isNumber({ entry }: Cached): boolean {
  return !entry.gzip && /^-?\d/.test(decode(entry).toString());
}

type CoverageBody = ReturnType<typeof coverageBody>;

/** What a body says about itself. */
interface Body {
  block?: BlockRef | number;
  coverage?: CoverageBody;
  partial?: string[];
  reasons?: Record<string, string>;
}

async function load(endpoint: Endpoint, input: unknown, context: Context): Promise<Loaded> {
  const sources: Cached[] = [];
  const body: Body = await endpoint.handle(input, withDatasets(context, sources));
  return {
    body: JSON.stringify(body),
    contentType: 'application/json',
    block: blockOf(body, sources),
    freshSeconds: lacksSource(body) ? PARTIAL_FRESH_SECONDS : undefined,
    neverStale: endpoint.neverStale,
    sources,
  };
}

/**
 * The block that a body describes; of one made from the ledger only, the last block searched. A bare value cannot name
 * it: its block is that of the dataset it is made from.
 */
function blockOf(body: Body, sources: readonly Cached[]): BlockRef | undefined {
  if (typeof body !== 'object') return sources[0]?.entry.block;
  // `/health` has a numeric `block`; only objects are block references.
  if (typeof body.block === 'object') return body.block;
  const { coverage } = body;
  return coverage && { number: coverage.toBlock, timestamp: coverage.toTimestamp };
}

/**
 * A cached body with its own status. Other than as a 200 it is always sent in full: `If-None-Match` only asks about a
 * 200.
 */
function withStatus({ statusOf }: Endpoint, request: Request, cached: Cached): Response {
  const status = statusOf?.(JSON.parse(decode(cached.entry).toString())) ?? 200;
  if (status === 200) return cachedResponse(request, cached);
  const { 'if-none-match': _, ...headers } = request.headers;
  return { ...cachedResponse({ ...request, headers }, cached), status, unanswered: status === 503 };
}

function uncached(body: unknown): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: JSON.stringify(body) };
}
