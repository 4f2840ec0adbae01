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

/** Expensive requests that run at once, and that wait, at most. 100 at once would stop the server for 30 s and take 1.2 GB. */
const MAX_RUNNING = 4;
const MAX_WAITING = 50;
/** Maximum number of parameters in a query. No endpoint takes more, and 8,000 would block the event loop for 0.7 s. */
const MAX_PARAMETERS = 100;

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
  const files = new Map(site.map((file) => [`/${file.path}`, file]));
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now();
    const result = await answer(findRoute, files, request).catch(crashed);
    send(response, result);
    const ms = (performance.now() - started).toFixed(1);
    const cache = result.headers?.['X-Cache'] ?? '';
    onResponse?.(`${request.method} ${request.url} ${result.statusCode} ${cache} ${ms} ms`);
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

/** Limits the answers that run at once and those that wait. More get the answer of API Gateway's throttle. */
function createLimiter(): (answer: Handler) => Handler {
  const waiting: (() => void)[] = [];
  let running = 0;
  return (answer) => async (event) => {
    if (waiting.length >= MAX_WAITING) return toResult(gatewayResponse(THROTTLED, randomUUID()));
    if (running < MAX_RUNNING) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    // Its time starts after the wait.
    return answer(event, lambdaContext()).finally(() => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    });
  };
}

/** Finds the route of a path. */
function finder(routes: readonly Route[]): (path: string) => Route {
  const limit = createLimiter();
  const inOrder = routes
    .toSorted((a, b) => byPreference(a.template, b.template))
    .map((route) => (EXPENSIVE_PATHS.includes(route.template) ? { ...route, answer: limit(route.answer) } : route));
  const others = { ...(inOrder.find(({ template }) => template === '/') as Route), template: OTHER_PATHS };
  return (path) => inOrder.find(({ template }) => matchPath(template, path)) ?? others;
}

async function answer(
  findRoute: (path: string) => Route,
  files: ReadonlyMap<string, SiteFile>,
  { method = 'GET', url = '/', headers }: IncomingMessage,
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
  return route.answer(proxyEvent(route.template, { method, url, headers: texts }), lambdaContext());
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
