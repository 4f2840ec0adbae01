import middy from '@middy/core';
import cors from '@middy/http-cors';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Cached, Loaded } from './cache/cache.ts';
import type { BlockRef } from './chain/rpc.ts';
import type { Context } from './context.ts';
import { ApiError, type ErrorCode } from './http/errors.ts';
import { canonicalText, parseInput } from './http/input.ts';
import type { Request, Response } from './http/message.ts';
import { reportRequest } from './http/report.ts';
import { cachedResponse, EXPOSED_HEADERS, pageResponse, problemResponse, SECURITY_HEADERS } from './http/response.ts';
import { lambdaRuntime, type Runtime } from './runtime.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * An endpoint is a description (what it takes, what it answers, for how long that stays fresh) and one function from input to
 * body. This file makes a Lambda handler of it, and is the only one that knows API Gateway and middy.
 */

interface Definition<Input extends z.ZodMiniObject, Body extends z.ZodMiniType> {
  /** API Gateway's template: `/prices/{dex}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description: string;
  /** Path and query parameters; those named in `path` are path parameters. */
  input: Input;
  /** Made on demand: only the OpenAPI document and the tests read it, so no request pays for it. */
  response: () => Body;
  /** A whole response that the schema accepts. */
  example: z.output<Body>;
  /** The code of this endpoint's own 404, if it has one. */
  notFound?: ErrorCode;
  /** Seconds a response stays fresh; 0 means that each request gets a new one. */
  freshSeconds: number;
  /** True when the body is made from datasets, which the shared table holds already. */
  fromDatasets?: boolean;
  /** The page that browsers are sent to instead, without the leading slash. */
  page?: string;
  /** The status of a body, where it can be another than 200. */
  statusOf?: (body: z.output<Body>) => number;
  handle: (input: z.output<Input>, context: RequestContext) => Promise<z.input<Body>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of endpoints holds definitions of many inputs and bodies
export type Endpoint = Definition<any, any>;

/** Data that several responses are made from, read once and shared by all containers. */
export interface Dataset<T> {
  name: string;
  freshSeconds: number;
  /** How long others leave it to the container that reads it; set it where that takes longer than the RPC budget. */
  leaseMs?: number;
  /** `previous` is what was read last, as long as it is not forgotten. */
  read(context: Context, previous?: T): Promise<T>;
}

/** What a handler reads from. */
export interface RequestContext extends Context {
  /** A dataset. The response is then as old, and stays fresh as long, as the oldest of those it used. */
  dataset<T>(dataset: Dataset<T>): Promise<T>;
}

/** The definition itself, its types checked against its schemas. */
export function defineEndpoint<Input extends z.ZodMiniObject, Body extends z.ZodMiniType>(
  definition: Definition<Input, Body>,
): Endpoint {
  return definition;
}

const ALLOWED_METHODS = 'GET,HEAD,OPTIONS';
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** How long a body lives that a source was missing for: the source may be back soon. */
const PARTIAL_FRESH_SECONDS = 15;
/** What is kept back of the function's time for a clean 504. */
const DEADLINE_RESERVE_MS = 500;

export type Handler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an endpoint. */
export function createHandler(endpoint: Endpoint, runtime: Runtime = lambdaRuntime): Handler {
  const pipeline = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: DEADLINE_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new ApiError('DEADLINE_EXCEEDED', 'The answer took too long to put together. Please try again shortly.');
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
    // Behind cors: middy runs error handlers last one first, and cors needs a response to add its headers to.
    .use({
      onError: (request) => {
        const error = publicError(request.error, runtime.telemetry);
        request.response = toResult(problemResponse(error, requestIdOf(request.event)));
      },
    })
    .handler(async (event) => toResult(await respond(endpoint, toRequest(event), runtime)));

  return async (event, lambdaContext) => {
    const started = performance.now();
    const result = finish(event, await pipeline(event, lambdaContext));
    reportRequest(runtime.telemetry, {
      method: event.httpMethod,
      route: endpoint.path,
      requestId: requestIdOf(event),
      status: result.statusCode,
      headers: result.headers as Record<string, string>,
      ms: performance.now() - started,
    });
    return result;
  };
}

async function respond(endpoint: Endpoint, request: Request, runtime: Runtime): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', `This API is read-only: use ${ALLOWED_METHODS}.`, {
      headers: { Allow: ALLOWED_METHODS },
    });
  }
  const { path, freshSeconds, fromDatasets, page } = endpoint;
  if (page && /\btext\/html\b/.test(request.headers.accept ?? '')) return pageResponse(request, page);
  const input = parseInput(endpoint.input, request);
  const context = await runtime.context();
  if (freshSeconds === 0) return uncached(endpoint, await endpoint.handle(input, withDatasets(context, [])));
  const policy = { freshSeconds, shared: !fromDatasets };
  const cached = await context.cache.get(`${path}#${canonicalText(input)}`, policy, () =>
    load(endpoint, input, context),
  );
  return cachedResponse(request, cached);
}

async function load(endpoint: Endpoint, input: unknown, context: Context): Promise<Loaded> {
  const basis: Cached[] = [];
  const body: { block?: BlockRef; partial?: string[] } = await endpoint.handle(input, withDatasets(context, basis));
  return {
    body: JSON.stringify(body),
    contentType: 'application/json',
    // A bare value cannot name its block: it is the block of the dataset it is made from.
    block: typeof body === 'object' ? body.block : basis[0]?.entry.block,
    freshSeconds: body.partial && PARTIAL_FRESH_SECONDS,
    basis,
  };
}

function uncached({ statusOf }: Endpoint, body: unknown): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { status: statusOf?.(body) ?? 200, headers, body: JSON.stringify(body) };
}

/** The context with datasets, noting in `used` what a body is made from. */
function withDatasets(context: Context, used: Cached[]): RequestContext {
  return {
    ...context,
    async dataset<T>({ name, freshSeconds, leaseMs, read }: Dataset<T>) {
      const cached = await context.cache.value(name, { freshSeconds, leaseMs }, (previous?: T) =>
        read(context, previous),
      );
      used.push(cached);
      return cached.value;
    },
  };
}

/** What the client is told. Whatever is not an {@link ApiError} is a defect of ours: logged whole, told as a fixed text. */
function publicError(error: unknown, { error: log, warn }: Telemetry): ApiError {
  if (!(error instanceof ApiError)) {
    log('unexpected error', { error });
    return new ApiError('INTERNAL', 'Something went wrong on our side. Please report the requestId if it goes on.');
  }
  if (error.status >= 500) warn('request failed', { error });
  return error;
}

function toRequest(event: APIGatewayProxyEvent): Request {
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']);
  return {
    method: event.httpMethod,
    // With the stage in front, unlike `event.path`.
    url: event.requestContext.path ?? event.path,
    headers: Object.fromEntries(headers),
    params: decodeAll(event.pathParameters ?? {}),
    query: (event.multiValueQueryStringParameters ?? {}) as Record<string, string[]>,
  };
}

/** API Gateway hands path parameters over as they were sent, percent signs included. */
function decodeAll(params: Record<string, string | undefined>): Record<string, string> {
  const decode = (name: string, value: string) => {
    try {
      return decodeURIComponent(value);
    } catch {
      throw new ApiError('INVALID_REQUEST', `${name} is not valid percent-encoding.`, {
        errors: [{ parameter: name, message: 'is not valid percent-encoding' }],
      });
    }
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(name, value ?? '')]));
}

function toResult({ status, headers, body }: Response): APIGatewayProxyResult {
  if (typeof body === 'string') return { statusCode: status, headers, body };
  return { statusCode: status, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}

/** Adds what every response carries. A response to HEAD keeps its headers and loses its body; one to a preflight has none. */
function finish(event: APIGatewayProxyEvent, result: APIGatewayProxyResult): APIGatewayProxyResult {
  const headers = { ...result.headers, ...SECURITY_HEADERS, 'X-Request-Id': requestIdOf(event) };
  if (event.httpMethod === 'HEAD' || !result.body) return { statusCode: result.statusCode, headers, body: '' };
  return { ...result, headers };
}

function requestIdOf(event: APIGatewayProxyEvent): string {
  return event.requestContext.requestId;
}
