/** API Gateway and Lambda on one machine: the same handlers, given the same events. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ENDPOINTS } from '../../functions/index.ts';
import { createHandler, type Handler } from '../../lib/api/endpoint.ts';
import { sunsetHeaders } from '../../lib/api/http/response.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Services } from '../../lib/api/services.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { type LocalServer, listen } from '../devnet/listen.ts';
import type { SiteFile } from '../site/site-file.ts';
import {
  type GatewayResponse,
  gatewayResponse,
  NOT_AVAILABLE,
  PREFLIGHT_HEADERS,
  readOnlyResponse,
  THROTTLED,
} from '../stack/gateway-responses.ts';
import { EXPENSIVE_PATHS } from '../stack/limits.ts';
import { lambdaContext, proxyEvent } from './event.ts';
import { byPreference, matchPath } from './path-templates.ts';
import { terminalTelemetry } from './terminal.ts';

export interface Route {
  template: string;
  answer: Handler;
}

/** Requests to an expensive path that run at once, and that wait, at most. 100 at once would stop the server for 30 s and take 1.2 GB. */
const MAX_RUNNING = 2;
const MAX_WAITING = 50;
/** Maximum number of parameters in a query. No endpoint takes more, and 8,000 would block the event loop for 0.7 s. */
const MAX_PARAMETERS = 100;
/** Characters. */
const MAX_URL_PRINTED = 200;

export interface GatewayOptions {
  port: number;
  routes: readonly Route[];
  /** Static files, which API Gateway gets from a bucket. */
  site?: readonly SiteFile[];
  /** Called with a line to print. */
  onResponse?: ((line: string) => void) | undefined;
}

export function createRoutes(runtime: Runtime<Services>): Route[] {
  return Object.values(ENDPOINTS).map((endpoint) => {
    return { template: endpoint.path, answer: createHandler(endpoint, runtime) };
  });
}

/** Serves the routes on 127.0.0.1. Rejects if the port is taken. */
export async function startGateway({ port, routes, site = [], onResponse }: GatewayOptions): Promise<LocalServer> {
  const answer = createAnswer(routes, new Map(site.map((file) => [`/${file.path}`, file])));
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const result = await answer(request, gone.signal).catch(crashed);
    if (response.destroyed) return;
    send(response, result);
    const ms = (performance.now() - started).toFixed(1);
    const cache = result.headers?.['X-Cache'] ?? '';
    onResponse?.(`${request.method} ${request.url?.slice(0, MAX_URL_PRINTED)} ${result.statusCode} ${cache} ${ms} ms`);
  };
  // Node would refuse longer requests with an empty 431, and not say which parameter is too long.
  // A request that is sent while its idle connection is being closed fails, so connections are kept for a minute.
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 65_536 }, (request, response) => {
    respond(request, response).catch((error) => {
      crashed(error);
      response.destroy();
    });
  });
  return listen(server, port);
}

/**
 * Limits the answers of a path that run at once and those that wait: other paths do not stand behind them. More get the answer of
 * API Gateway's throttle. Those whose clients have `gone` leave.
 */
function createLimiter() {
  let running = 0;
  const waiting = new Set<() => void>();
  return async (gone: AbortSignal, run: () => Promise<APIGatewayProxyResult>) => {
    if (waiting.size >= MAX_WAITING) return toResult(gatewayResponse(THROTTLED, randomUUID()));
    if (running >= MAX_RUNNING)
      await new Promise<void>((start) => {
        waiting.add(start);
        gone.addEventListener('abort', () => waiting.delete(start));
      });
    running += 1;
    return run().finally(() => {
      running -= 1;
      const [next] = waiting;
      if (next && waiting.delete(next)) next();
    });
  };
}

function createAnswer(routes: readonly Route[], files: ReadonlyMap<string, SiteFile>) {
  const inOrder = routes.toSorted((a, b) => byPreference(a.template, b.template));
  const others = { ...(inOrder.find(({ template }) => template === '/') as Route), template: OTHER_PATHS };
  const limits = new Map(EXPENSIVE_PATHS.map((path) => [path, createLimiter()]));
  return async ({ method = 'GET', url = '/', headers }: IncomingMessage, gone: AbortSignal) => {
    const [path = '/'] = url.split('?', 1);
    const isRead = method === 'GET' || method === 'HEAD';
    const file = files.get(path);
    if (file && isRead) {
      const body = Buffer.from(file.body).toString('base64');
      return { statusCode: 200, headers: file.headers, body, isBase64Encoded: true };
    }
    if (file && method === 'OPTIONS') return { statusCode: 204, headers: PREFLIGHT_HEADERS, body: '' };
    if (file) return toResult(readOnlyResponse(randomUUID()));
    const page = files.get(path.replace(/\/$/, ''));
    // A page's links are relative to its own path: a trailing slash would break them.
    if (page && isRead) return { statusCode: 301, headers: { Location: url.replace(/\/(?=\?|$)/, '') }, body: '' };
    if (url.split('&').length > MAX_PARAMETERS) {
      const detail = `The query has more than ${MAX_PARAMETERS} parameters.`;
      return toResult(gatewayResponse({ code: 'INVALID_REQUEST', detail }, randomUUID()));
    }
    const { template, answer } = inOrder.find((route) => matchPath(route.template, path)) ?? others;
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    // Its time starts after a wait.
    const run = () => answer(proxyEvent(template, { method, url, headers: texts }), lambdaContext());
    return limits.get(template)?.(gone, run) ?? run();
  };
}

/** The answer to a request that has failed outside a function's own handling. No such failure ends the process. */
function crashed(error: unknown): APIGatewayProxyResult {
  terminalTelemetry.error('a request could not be answered', { error });
  return toResult(gatewayResponse(NOT_AVAILABLE, randomUUID()));
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
