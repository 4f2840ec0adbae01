import middy from '@middy/core';
import cors from '@middy/http-cors';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import * as z from 'zod/mini';
import type { BlockRef } from './block.ts';
import type { Cached, Loaded } from './cache/cache.ts';
import { ADDRESSES_KEY } from './chain/chain.ts';
import { monotonicMs } from './clock.ts';
import type { Context } from './context.ts';
import { type Dataset, datasetKey, type RequestContext, withDatasets } from './dataset.ts';
import { deadlineExceeded, withDeadline } from './deadline.ts';
import { CSV, csvOf, prefersCsv } from './http/csv.ts';
import { decode } from './http/encoding.ts';
import { ApiError, badParameter, type ErrorCode, internalError } from './http/errors.ts';
import { canonicalText, parseInput } from './http/input.ts';
import type { Request, Response } from './http/message.ts';
import { reportRequest } from './http/report.ts';
import {
  cachedResponse,
  EXPOSED_HEADERS,
  listResponse,
  pageResponse,
  problemResponse,
  SECURITY_HEADERS,
} from './http/response.ts';
import { ifKnown } from './known.ts';
import type { Coverage } from './ledger/searched.ts';
import { choiceParam } from './params.ts';
import { endpointRuntime, type Runtime } from './runtime.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * An endpoint is a description (what it takes, what it answers, how long that stays fresh) and one function from input
 * to body. This file turns it into a Lambda handler, and is the only one that knows API Gateway and middy.
 */

/** What a function may read besides the chain and the cache table; the stack grants it exactly that. */
export type Source = 'history' | 'ledger' | 'flags';

interface Definition<Input extends z.ZodMiniObject, Body extends z.ZodMiniType> {
  /** API Gateway's path template: `/prices/{dex}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description: string;
  /** The page that browsers are redirected to, without the leading slash. */
  page?: string;
  /** Seconds a response stays fresh; 0 means that each request computes a new one. */
  freshSeconds: number;
  /** True if an old body would mislead: it is then never served stale. */
  momentary?: true;
  /**
   * False if the body is made from data that is in tables already (datasets, history): the cache table need not keep
   * it, too.
   */
  shared?: false;
  reads?: readonly Source[];
  /** The shared datasets that a new answer needs: fetched from the table before the first request arrives. */
  // biome-ignore lint/suspicious/noExplicitAny: a list of datasets holds values of many types
  datasets?: readonly Dataset<any>[];
  /** Path and query parameters; those named in `path` are path parameters. */
  input: Input;
  /** Maps inputs with the same answer to one form, so that it is made and cached once. */
  canonical?: (input: z.output<Input>, context: Context) => z.output<Input> | Promise<z.output<Input>>;
  /** Made on demand, for the OpenAPI document, CSV and the tests: no other request pays for it. */
  response: () => Body;
  /**
   * A request that the devnet answers with a 200, for the README, the bench and the tests. On other networks only its
   * addresses differ.
   */
  exampleRequest: `/${string}`;
  /** A complete response that the schema accepts. */
  example: z.output<Body>;
  /** The body's list, which clients may ask for as CSV. */
  rows?: keyof z.output<Body> & string;
  /** The codes of this endpoint's own 404s, if it has any. */
  notFound?: readonly ErrorCode[];
  /** The HTTP status of a body, where that is not always 200. */
  statusOf?: (body: z.output<Body>) => number;
  handle: (input: z.output<Input>, context: RequestContext) => Promise<z.input<Body>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of endpoints holds definitions of many inputs and bodies
export type Endpoint = Definition<any, any>;

/** The definition itself, its types checked against its schemas. */
export function defineEndpoint<Input extends z.ZodMiniObject, Body extends z.ZodMiniType>(
  definition: Definition<Input, Body>,
): Endpoint {
  const input: z.ZodMiniObject = definition.rows ? z.extend(definition.input, formatParam()) : definition.input;
  return { ...definition, input: input.check(inOrder) };
}

/** For every endpoint that takes both; reported together with whatever else is wrong. */
const inOrder = z.check<{ from?: unknown; to?: unknown }>(
  ({ value: { from, to }, issues }) => {
    const message = `must not be after to (${to})`;
    if (Number(from) > Number(to)) issues.push({ code: 'custom', path: ['from'], message, input: from });
  },
  { when: () => true },
);

/** A function, so that only endpoints with this parameter pay for the schema: 0.05 ms of a cold start. */
const formatParam = () => ({
  format: z.optional(
    choiceParam(
      ['json', 'csv'],
      'Response format. Defaults to the one that the `Accept` header prefers, or JSON.',
      'Format',
    ),
  ),
});

export const ALLOWED_METHODS = 'GET,HEAD,OPTIONS';
export const READ_ONLY = `This API is read-only: use ${ALLOWED_METHODS}.`;
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** How long a body stays fresh that lacks a source: the source may be back soon. */
const PARTIAL_FRESH_SECONDS = 15;
/** How much of the function's time is reserved for a clean 504. */
const TIMEOUT_RESERVE_MS = 500;
/** The same plus the time to serve a stale body instead. */
const DEADLINE_RESERVE_MS = TIMEOUT_RESERVE_MS + 250;
const INCOMPLETE =
  'Some of the data is not available at the moment, which CSV could not show. Ask for JSON: see `coverage` or `partial`.';
/** How long the optional parts of an answer may take, from the start of the request. */
const OPTIONAL_MS = 4_000;

/** A Lambda result, with what is reported about it. */
type Result = APIGatewayProxyResult & Pick<Response, 'served' | 'unanswered'>;

export type Handler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an endpoint. */
export function createHandler(
  endpoint: Endpoint,
  runtime: Runtime = endpointRuntime((context) => prefetch(endpoint, context)),
): Handler {
  const pipeline = middy<APIGatewayProxyEvent, Result>({
    timeoutEarlyInMillis: TIMEOUT_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw deadlineExceeded();
    },
  })
    .use(
      cors({
        origin: '*',
        methods: ALLOWED_METHODS,
        headers: '*',
        exposeHeaders: EXPOSED_HEADERS.join(', '),
        maxAge: PREFLIGHT_MAX_AGE_SECONDS,
        disableBeforePreflightResponse: false,
      }),
    )
    // After cors: middy runs error handlers in reverse order, and cors needs a response to add its headers to.
    .use({
      onError: (request) => {
        const error = publicError(request.error, runtime.telemetry);
        request.response = toResult(problemResponse(error, requestIdOf(request.event)));
      },
    })
    .handler(async (event) => toResult(await respond(endpoint, toRequest(event), runtime)));

  return async (event, lambdaContext) => {
    const [started, now] = [monotonicMs(), Date.now()];
    // Programs that call the function directly may pass no context.
    const end = now + (lambdaContext?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY);
    const run = () => pipeline(event, lambdaContext);
    const { served, unanswered, ...result } = await withDeadline(end - DEADLINE_RESERVE_MS, run, now + OPTIONAL_MS);
    reportRequest(runtime.telemetry, {
      method: event.httpMethod,
      route: endpoint.path,
      requestId: requestIdOf(event),
      status: result.statusCode,
      served,
      unanswered,
      ms: monotonicMs() - started,
    });
    return finish(event, result);
  };
}

/**
 * Begins to read what a container's first answer will need, by a guess: datasets, or the answer to a request without
 * parameters. Where that is not needed, the connection to the table is at least open.
 */
function prefetch(endpoint: Endpoint, { cache }: Context): void {
  const { input, datasets = [], freshSeconds, shared = true } = endpoint;
  const keys = [ADDRESSES_KEY, ...datasets.map(datasetKey)];
  // The table has no bodies of the others.
  const mayHaveBody = shared && freshSeconds > 0;
  const { success, data } = mayHaveBody ? input.safeParse({}) : { success: false };
  cache.prefetch(success ? [...keys, bodyKey(endpoint, data)] : keys);
}

function bodyKey({ path }: Endpoint, input: object): string {
  return `${path}#${canonicalText(input)}`;
}

async function respond(endpoint: Endpoint, request: Request, runtime: Runtime): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', READ_ONLY, {
      headers: { Allow: ALLOWED_METHODS },
    });
  }
  const { freshSeconds, shared = true, page } = endpoint;
  if (page && /\btext\/html\b/.test(request.headers.accept ?? '')) return pageResponse(request, page);
  const { format, ...asked } = parseInput(endpoint.input, request);
  const context = await runtime.context();
  const input = (await endpoint.canonical?.(asked, context)) ?? asked;
  if (freshSeconds === 0) return uncached(await endpoint.handle(input, withDatasets(context, [])));
  const key = bodyKey(endpoint, input);
  const answer = () => context.cache.get(key, { freshSeconds, shared }, () => load(endpoint, input, context));
  if (!endpoint.rows) return withStatus(endpoint, request, await answer());
  const isCsv = format ? format === 'csv' : prefersCsv(request);
  const cached = isCsv
    ? await context.cache.get(`${key}#csv`, { freshSeconds, shared: false }, async () =>
        asCsv(endpoint, await answer()),
      )
    : await answer();
  return listResponse(request, cached, format === 'csv' ? fileName(endpoint, request) : undefined);
}

/** `/prices/tj/history` is `prices-tj-history.csv`. */
function fileName({ path }: Endpoint, { params }: Request): string {
  const parts = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '').match(/\w+/g) ?? [];
  return `${parts.join('-')}.csv`;
}

/**
 * The rows of a cached body as CSV, with the age and freshness of that body. Throws UPSTREAM_UNAVAILABLE if data is
 * missing: the body says so, but rows would look like all there is.
 */
function asCsv({ rows = '', response }: Endpoint, answer: Cached): Loaded {
  const body = JSON.parse(decode(answer.entry).toString());
  if (body.partial || body.coverage?.complete === false) throw new ApiError('UPSTREAM_UNAVAILABLE', INCOMPLETE);
  return {
    body: csvOf(response().shape[rows], body[rows]),
    contentType: `${CSV}; charset=utf-8; header=present`,
    block: answer.entry.block,
    freshSeconds: answer.entry.maxAge,
    next: body.nextCursor,
    basis: [answer],
  };
}

/** What a body says about itself. */
interface Body {
  block?: BlockRef | number;
  coverage?: Coverage;
  partial?: string[];
}

async function load(endpoint: Endpoint, input: unknown, context: Context): Promise<Loaded> {
  const basis: Cached[] = [];
  const body: Body = await endpoint.handle(input, withDatasets(context, basis));
  return {
    body: JSON.stringify(body),
    contentType: 'application/json',
    block: blockOf(body, basis),
    freshSeconds: body.partial && PARTIAL_FRESH_SECONDS,
    momentary: endpoint.momentary,
    basis,
  };
}

/**
 * The block that a body describes; of one made from the ledger only, the last block searched. A bare value cannot name
 * it: its block is that of the dataset it is made from.
 */
function blockOf(body: Body, basis: readonly Cached[]): BlockRef | undefined {
  if (typeof body !== 'object') return basis[0]?.entry.block;
  // A number is a figure like any other.
  if (typeof body.block === 'object') return body.block;
  const { to, toTimestamp } = body.coverage ?? {};
  return ifKnown((number, timestamp) => ({ number, timestamp }), to, toTimestamp);
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

/**
 * The error as the client sees it. Anything but an {@link ApiError} is a bug of ours: logged in full, but answered with
 * a fixed text.
 */
function publicError(error: unknown, { error: log, warn }: Telemetry): ApiError {
  if (!(error instanceof ApiError)) {
    log('unexpected error', { error });
    return internalError();
  }
  if (error.status >= 500) warn('request failed', { error });
  return error;
}

function toRequest(event: APIGatewayProxyEvent): Request {
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']);
  return {
    method: event.httpMethod,
    // Includes the stage, unlike `event.path`.
    url: event.requestContext.path ?? event.path,
    headers: Object.fromEntries(headers),
    params: decodeAll(event.pathParameters ?? {}),
    query: (event.multiValueQueryStringParameters ?? {}) as Record<string, string[]>,
  };
}

/** API Gateway passes path parameters on as they were sent, still percent-encoded. */
function decodeAll(params: Record<string, string | undefined>): Record<string, string> {
  const decode = (name: string, value: string) => {
    try {
      return decodeURIComponent(value);
    } catch {
      throw badParameter(name, 'is not valid percent-encoding');
    }
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(name, value ?? '')]));
}

function toResult({ status, body, ...rest }: Response): Result {
  if (typeof body === 'string') return { ...rest, statusCode: status, body };
  return { ...rest, statusCode: status, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}

/**
 * Adds what every response carries. A response to HEAD keeps its headers but loses its body; one to a preflight has
 * none.
 */
function finish(event: APIGatewayProxyEvent, result: APIGatewayProxyResult): APIGatewayProxyResult {
  const headers = { ...result.headers, ...SECURITY_HEADERS, 'X-Request-Id': requestIdOf(event) };
  if (event.httpMethod === 'HEAD' || !result.body) return { statusCode: result.statusCode, headers, body: '' };
  return { ...result, headers };
}

function requestIdOf(event: APIGatewayProxyEvent): string {
  return event.requestContext.requestId;
}
