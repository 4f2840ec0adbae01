/** Defines an endpoint, and turns it into a Lambda handler. Only this file depends on API Gateway and middy. */

import middy from '@middy/core';
import cors from '@middy/http-cors';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import * as z from 'zod/mini';
import { toTenths } from '../runtime/clock.ts';
import { deadlineExceeded, withDeadline } from '../runtime/deadline.ts';
import { ApiError, badParameter, contractUnavailable, internalError, isRefusal } from '../runtime/errors.ts';
import { endpointRuntime, type Runtime } from '../runtime/lambda-runtime.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { respond } from './answer.ts';
import { csvFormat, type Definition, type Endpoint, type Format, JSON_FORMAT, type Path } from './definition.ts';
import {
  CORS,
  problemResponse,
  type Request,
  type Response,
  SECURITY_HEADERS,
  sunsetHeaders,
} from './http/response.ts';
import { choiceParam } from './params.ts';
import { noSuchPath, OTHER_PATHS } from './paths.ts';
import { createServices, type Services } from './services.ts';

export function defineEndpoint<
  OwnPath extends Path,
  Source,
  Schema extends z.ZodMiniType,
  Params extends z.core.$ZodShape = Record<never, never>,
>({
  params,
  body,
  rows,
  page,
  formats: own,
  ...definition
}: Definition<OwnPath, Params, Source, Schema>): Endpoint<OwnPath, Schema> {
  const formats: Record<string, Format> = own ?? {
    json: JSON_FORMAT,
    ...(rows !== undefined && { csv: csvFormat(rows) }),
    ...(page !== undefined && { html: { contentType: 'text/html', page } }),
  };
  const input: z.ZodMiniObject = z.object({ ...params, ...formatParam(formats) });
  return {
    ...definition,
    formats,
    input: input.check(checkTogether(definition.check)),
    response: () => body.schema(),
    handle: async (input, context) => body.json(await definition.handle(input, context)),
  };
}

/** Reports the errors of several parameters together with those of each. */
function checkTogether(check: Endpoint['check']) {
  return z.check<{ from?: unknown; to?: unknown }>(
    ({ value, issues }) => {
      const isReversed = Number(value.from) > Number(value.to);
      const errors = { from: isReversed && `must not be after to (${value.to})`, ...check?.(value) };
      for (const [name, message] of Object.entries(errors))
        if (message) issues.push({ code: 'custom', path: [name], message, input: name });
    },
    { when: () => true },
  );
}

function formatParam(formats: Record<string, Format>): Record<string, z.ZodMiniType> {
  const files = Object.keys(formats).filter((name) => formats[name]?.write);
  if (files.length === 0) return {};
  const description = 'Response format. Default: the one that the `Accept` header prefers.';
  // The endpoints with other files differ in them, so that they have no type in common.
  const name = files.join() === 'csv' ? 'Format' : undefined;
  return { format: z.optional(choiceParam(['json', ...files], description, name)) };
}

/** Time in ms from a request's deadline to Lambda's time limit: enough to answer without the data that is late. */
const DEADLINE_RESERVE_MS = 500;
/** Time in ms before Lambda's time limit at which a request that is still not answered gets a 504. */
const TIMEOUT_RESERVE_MS = 250;

type Result = APIGatewayProxyResult & Pick<Response, 'served' | 'unanswered'>;

export type Handler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<APIGatewayProxyResult>;

/**
 * The Lambda handler of an endpoint. On Lambda its runtime connects to the cache table when the module is imported. Calls are marked
 * `@__PURE__`: a bundle that imports the endpoint for another purpose leaves out the handler, and starts no runtime for it.
 */
export function createHandler(
  endpoint: Endpoint,
  runtime: Runtime<Services> = endpointRuntime(createServices, ({ cache }) => cache.ping()),
): Handler {
  const pipeline = middy<APIGatewayProxyEvent, Result>({
    timeoutEarlyInMillis: TIMEOUT_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw deadlineExceeded();
    },
  })
    .use(cors(CORS))
    // After cors: middy runs error handlers in reverse order, and cors needs a response to add its headers to.
    .use({
      onError: (request) => {
        const error = publicError(request.error, runtime.telemetry);
        request.response = toResult(problemResponse(error, requestIdOf(request.event)));
      },
    })
    .handler(async (event) => {
      const request = toRequest(event);
      return toResult(event.resource === OTHER_PATHS ? noSuchPath(request) : await respond(endpoint, request, runtime));
    });

  return async (event, lambdaContext) => {
    const started = performance.now();
    // Programs that call the function directly may pass no context.
    const end = runtime.clock.now() + (lambdaContext?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY);
    const run = () => pipeline(event, lambdaContext);
    const { served, unanswered, ...result } = await withDeadline(end - DEADLINE_RESERVE_MS, run);
    reportRequest(runtime.telemetry, {
      method: event.httpMethod,
      route: event.resource === OTHER_PATHS ? OTHER_PATHS : endpoint.path,
      requestId: requestIdOf(event),
      status: result.statusCode,
      served,
      unanswered,
      ms: performance.now() - started,
    });
    return finish(event, result);
  };
}

interface Outcome extends Pick<Response, 'served' | 'unanswered' | 'status'> {
  method: string;
  route: string;
  requestId: string;
  ms: number;
}

export function reportRequest(telemetry: Telemetry, { served, unanswered, ms, ...request }: Outcome): void {
  if (unanswered) telemetry.count('CacheError');
  // Fresh bodies may be an hour old, too: only the age of a stale one shows that its source is failing.
  if (served?.cache === 'stale') telemetry.record('ServedAge', served.age);
  telemetry.info('request', {
    ...request,
    cache: served?.cache,
    block: served?.block?.number,
    age: served?.age,
    upstreamMs: served?.loadMs && toTenths(served.loadMs),
    ms: toTenths(ms),
  });
  telemetry.flush();
}

/** The error as the client sees it. All but {@link ApiError}s and refused calls are bugs: logged in full, with a fixed text. */
function publicError(thrown: unknown, { error: log, warn }: Telemetry): ApiError {
  const error = isRefusal(thrown) ? contractUnavailable(thrown) : thrown;
  if (!(error instanceof ApiError)) {
    log('unexpected error', { error });
    return internalError();
  }
  if (error.status >= 500) warn('request failed', { error });
  return error;
}

function toRequest(event: APIGatewayProxyEvent): Request {
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']);
  const params = Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decodeParam(name, value)]);
  return {
    method: event.httpMethod,
    // Includes the stage, unlike `event.path`.
    url: event.requestContext.path ?? event.path,
    path: event.path,
    headers: Object.fromEntries(headers),
    params: Object.fromEntries(params),
    query: (event.multiValueQueryStringParameters ?? {}) as Record<string, string[]>,
  };
}

/** API Gateway passes path parameters on as they were sent, still percent-encoded. */
function decodeParam(name: string, value = ''): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw badParameter(name, 'is not valid percent-encoding');
  }
}

function toResult({ status, body, ...rest }: Response): Result {
  if (typeof body === 'string') return { ...rest, statusCode: status, body };
  return { ...rest, statusCode: status, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}

/** Adds the headers of every response. Responses to HEAD have those of GET, the length included, but no body. */
function finish(event: APIGatewayProxyEvent, result: APIGatewayProxyResult): APIGatewayProxyResult {
  // API Gateway's own URLs begin with the stage. Its root may come without the slash.
  const url = event.requestContext.path ?? event.path;
  const base = url.endsWith(event.path) ? url.slice(0, -event.path.length) : url;
  const headers = {
    ...result.headers,
    ...SECURITY_HEADERS,
    ...sunsetHeaders(process.env.ENDS_ON, base, result.headers?.Link),
    'X-Request-Id': requestIdOf(event),
  };
  if (!result.body) return { statusCode: result.statusCode, headers, body: '' };
  if (event.httpMethod !== 'HEAD') return { ...result, headers };
  const length = Buffer.byteLength(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  return { statusCode: result.statusCode, headers: { ...headers, 'Content-Length': String(length) }, body: '' };
}

function requestIdOf(event: APIGatewayProxyEvent): string {
  return event.requestContext.requestId;
}
