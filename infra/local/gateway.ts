/** API Gateway and Lambda on one machine: the same handlers, given the same events. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ENDPOINTS } from '../../functions/index.ts';
import { createHandler, type Handler } from '../../lib/api/endpoint.ts';
import { acceptsGzip } from '../../lib/api/http/negotiation.ts';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import { matchPath, OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Services } from '../../lib/api/services.ts';
import { internalError } from '../../lib/runtime/errors.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { type LocalServer, listen } from '../devnet/listen.ts';
import type { SiteFile } from '../site/site-file.ts';
import {
  GATEWAY_ERRORS,
  type GatewayResponse,
  gatewayResponse,
  PREFLIGHT_HEADERS,
  readOnlyResponse,
} from '../stack/gateway-responses.ts';
import { EXPENSIVE_PATHS } from '../stack/limits.ts';
import { lambdaContext, proxyEvent } from './event.ts';
import { terminalTelemetry } from './terminal-telemetry.ts';

export interface Route {
  /** API Gateway's path template. */
  template: string;
  answer: Handler;
}

/** Longer than requests are apart: one that is sent while its connection is being closed fails. */
const KEEP_ALIVE_MS = 60_000;

export interface GatewayOptions {
  port: number;
  routes: readonly Route[];
  /** Static files, which API Gateway gets from a bucket. */
  site?: readonly SiteFile[];
  /** Called after each response. */
  onResponse?: ((line: { method: string; url: string; status: number; cache: string; ms: number }) => void) | undefined;
}

/** The routes of all endpoints. */
export function createRoutes(runtime: Runtime<Services>): Route[] {
  return Object.values(ENDPOINTS).map((endpoint) => ({
    template: endpoint.path,
    answer: createHandler(endpoint, runtime),
  }));
}

/** Serves the routes on 127.0.0.1. Rejects if the port is taken. */
export async function startGateway({ port, routes, site = [], onResponse }: GatewayOptions): Promise<LocalServer> {
  const findRoute = finder(routes);
  const files = new Map(site.map((file) => [`/${file.path}`, file]));
  const respond: Respond = async (request, response) => {
    const started = performance.now();
    const result = await answer(findRoute, files, request).catch(crashed);
    send(response, result);
    onResponse?.({
      method: request.method ?? '',
      url: request.url ?? '',
      status: result.statusCode,
      cache: String(result.headers?.['X-Cache'] ?? ''),
      ms: performance.now() - started,
    });
  };
  // Node would refuse longer requests with an empty 431, and not say which parameter is too long.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: 65_536 }, (request, response) => {
    respond(request, response).catch((error) => broken(response, error));
  });
  return listen(server, port);
}

/** Requests for expensive paths that run at once: more would hold up all others. */
const EXPENSIVE_AT_ONCE = 4;
const EXPENSIVE: ReadonlySet<string> = new Set(EXPENSIVE_PATHS);
const waiting: (() => void)[] = [];
let busy = 0;

/** Runs an expensive request when fewer than {@link EXPENSIVE_AT_ONCE} others run. */
async function queued<T>(run: () => Promise<T>): Promise<T> {
  if (busy < EXPENSIVE_AT_ONCE) busy += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }
}

/** Error codes of a stream whose client has disconnected: in the middle of the file, or before it. */
const CLIENT_GONE = new Set<string | undefined>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers after an error outside a function, so that no request ends the process. */
function broken(response: ServerResponse, error: NodeJS.ErrnoException): void {
  if (CLIENT_GONE.has(error.code) || (response.destroyed && !response.headersSent)) return;
  terminalTelemetry.error('a request could not be answered', { error });
  if (response.headersSent) response.destroy();
  else send(response, toResult(gatewayResponse({ code: 'INTERNAL', detail: internalError().message }, randomUUID())));
}

/** Finds the route of a path. API Gateway prefers `/prices/history` to `/prices/{dex}`. */
function finder(routes: readonly Route[]): (path: string) => Route {
  const fixed = new Map(routes.map((route) => [route.template, route]));
  const inOrder = routes.toSorted((a, b) => variables(a) - variables(b));
  const others = { ...(fixed.get('/') as Route), template: OTHER_PATHS };
  return (path) => fixed.get(path) ?? inOrder.find(({ template }) => matchPath(template, path)) ?? others;
}

function variables({ template }: Route): number {
  return template.split('{').length - 1;
}

async function answer(
  findRoute: (path: string) => Route,
  files: ReadonlyMap<string, SiteFile>,
  { method = 'GET', url = '/', headers }: IncomingMessage,
): Promise<APIGatewayProxyResult> {
  const [path = '/'] = url.split('?', 1);
  const isRead = method === 'GET' || method === 'HEAD';
  const file = files.get(path);
  if (file && isRead) return fileResult(file, acceptsGzip(String(headers['accept-encoding'])));
  if (file && method === 'OPTIONS') return { statusCode: 204, headers: PREFLIGHT_HEADERS, body: '' };
  if (file) return toResult(readOnlyResponse(randomUUID()));
  const page = files.get(path.replace(/\/$/, ''));
  if (page && isRead) return redirect(url.replace(/\/(?=\?|$)/, ''));
  const route = findRoute(path);
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const run = () => route.answer(proxyEvent(route.template, { method, url, headers: texts }), lambdaContext());
  return EXPENSIVE.has(route.template) ? queued(run) : run();
}

/** A page's links are relative to its own path: a trailing slash would break them. */
function redirect(url: string): APIGatewayProxyResult {
  return { statusCode: 301, headers: { Location: url }, body: '' };
}

/** A static file, compressed as API Gateway would. */
function fileResult({ headers, body }: SiteFile, gzip: boolean): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: { ...headers, ...(gzip && { 'Content-Encoding': 'gzip' }) },
    body: (gzip ? gzipSync(body) : body).toString('base64'),
    isBase64Encoded: true,
  };
}

/** API Gateway's answer if a function throws. Lambda logs the error. */
function crashed(error: unknown): APIGatewayProxyResult {
  terminalTelemetry.error('a function has thrown', { error });
  return gatewayError('DEFAULT_5XX');
}

/** API Gateway's answer without a call of a function. */
function gatewayError(type: string): APIGatewayProxyResult {
  const error = GATEWAY_ERRORS.find((candidate) => candidate.type === type) as (typeof GATEWAY_ERRORS)[number];
  return toResult(gatewayResponse(error, randomUUID()));
}

function toResult({ status, headers, body }: GatewayResponse): APIGatewayProxyResult {
  return { statusCode: status, headers, body };
}

/** Sends the response. A text body stays a string: Node writes it together with the headers, at once. */
function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult): void {
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const length = Buffer.byteLength(content);
  response.writeHead(statusCode, {
    // Functions have added them already.
    ...sunsetHeaders(process.env.ENDS_ON),
    ...(headers as Record<string, string>),
    ...(length > 0 && { 'Content-Length': length }),
  });
  response.end(content);
}
