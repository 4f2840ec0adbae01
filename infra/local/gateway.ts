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

/** Expensive requests that run at once, and that wait for each path, at most. 100 at once would stop the server for 30 s and take 1.2 GB. */
const MAX_RUNNING = 4;
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
  const findRoute = finder(routes);
  const limit = createLimiter();
  const files = new Map(site.map((file) => [`/${file.path}`, file]));
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const result = await answer(findRoute, files, request, (path, run) => limit(path, gone.signal, run)).catch(
      (error) => (response.destroyed ? undefined : crashed(error)),
    );
    if (!result) return;
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
 * Limits the answers that run at once and those that wait. More get the answer of API Gateway's throttle. The next one is of the
 * path that runs least, so that cheap ones do not stand behind dear ones. Who goes away (`gone`) leaves.
 */
function createLimiter() {
  const running: string[] = [];
  let waiting: { path: string; start: () => void }[] = [];
  const countOf = (path: string) => running.filter((one) => one === path).length;
  const startNext = () => {
    if (running.length >= MAX_RUNNING) return;
    const [next] = waiting.toSorted((a, b) => countOf(a.path) - countOf(b.path));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    running.push(next.path);
    next.start();
  };
  return async (path: string, gone: AbortSignal, run: () => Promise<APIGatewayProxyResult>) => {
    if (running.length >= MAX_RUNNING && waiting.filter((one) => one.path === path).length >= MAX_WAITING)
      return toResult(gatewayResponse(THROTTLED, randomUUID()));
    await new Promise<void>((start, leave) => {
      const turn = { path, start };
      gone.addEventListener('abort', () => {
        waiting = waiting.filter((one) => one !== turn);
        leave(new Error('the client has gone'));
      });
      waiting.push(turn);
      startNext();
    });
    return run().finally(() => {
      running.splice(running.indexOf(path), 1);
      startNext();
    });
  };
}

/** Finds the route of a path. */
function finder(routes: readonly Route[]): (path: string) => Route {
  const inOrder = routes.toSorted((a, b) => byPreference(a.template, b.template));
  const others = { ...(inOrder.find(({ template }) => template === '/') as Route), template: OTHER_PATHS };
  return (path) => inOrder.find(({ template }) => matchPath(template, path)) ?? others;
}

async function answer(
  findRoute: (path: string) => Route,
  files: ReadonlyMap<string, SiteFile>,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  limit: (path: string, run: () => Promise<APIGatewayProxyResult>) => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
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
  const route = findRoute(path);
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  // Its time starts after a wait.
  const run = () => route.answer(proxyEvent(route.template, { method, url, headers: texts }), lambdaContext());
  return EXPENSIVE_PATHS.includes(route.template) ? limit(route.template, run) : run();
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
