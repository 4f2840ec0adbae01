/** API Gateway and Lambda on one machine: the same handlers, given the same events. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { ENDPOINTS } from '../../functions/index.ts';
import { createHandler, type Handler } from '../../lib/api/endpoint.ts';
import { sunsetHeaders } from '../../lib/api/http/response.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import type { Services } from '../../lib/api/services.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { type LocalServer, listen } from '../devnet/listen.ts';
import type { SiteFile } from '../site/site-file.ts';
import {
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

export type Route = { template: string; answer: Handler };

/** Requests to an expensive path that run at once, and that wait, at most. 100 at once would stop the server for 30 s and take 1.2 GB. */
const MAX_RUNNING = 2;
const MAX_WAITING = 50;
/** Maximum number of parameters in a query. No endpoint takes more, and 8,000 would block the event loop for 0.7 s. */
const MAX_PARAMETERS = 100;
export interface GatewayOptions {
  port: number;
  routes: readonly Route[];
  /** Static files, which API Gateway gets from a bucket. */
  site?: readonly SiteFile[];
  onResponse?: ((line: string) => void) | undefined;
}

export function createRoutes(runtime: Runtime<Services>): Route[] {
  return Object.values(ENDPOINTS).map((endpoint) => ({
    template: endpoint.path,
    answer: createHandler(endpoint, runtime),
  }));
}

type Answer = { status: number; headers: Record<string, string>; body: string | Uint8Array };

export function startGateway({ port, routes, site = [], onResponse }: GatewayOptions): Promise<LocalServer> {
  return serve(port, createAnswer(routes, new Map(site.map((file) => [`/${file.path}`, file]))), onResponse);
}

/** Serves the answers on 127.0.0.1. Rejects if the port is taken. */
export function serve(
  port: number,
  answer: (request: IncomingMessage, gone: AbortSignal) => Promise<Answer>,
  onResponse?: GatewayOptions['onResponse'],
): Promise<LocalServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { status, headers, body } = await answer(request, gone.signal).catch(crashed);
    if (response.destroyed) return;
    const length = Buffer.byteLength(body);
    // Functions have added the first ones already.
    const all = { ...sunsetHeaders(process.env.ENDS_ON), ...headers, ...(length > 0 && { 'Content-Length': length }) };
    // A text body stays a string: Node writes it together with the headers, at once.
    response.writeHead(status, all).end(body);
    const ms = (performance.now() - started).toFixed(1);
    onResponse?.(`${request.method} ${request.url?.slice(0, 200)} ${status} ${headers['X-Cache'] ?? ''} ${ms} ms`);
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

/** Limits the answers of a path that run and that wait: more get those of API Gateway's throttle. Those whose clients have `gone` leave. */
function createLimiter() {
  let running = 0;
  const waiting = new Set<() => void>();
  return async (gone: AbortSignal, run: () => Promise<Answer>) => {
    // After this turn, the next one reads the end of a connection that its client has closed, and the third emits `close`.
    for (let turns = 0; turns < 3; turns++) await setImmediate();
    if (gone.aborted || waiting.size >= MAX_WAITING) return gatewayResponse(THROTTLED, randomUUID());
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
  return async ({ method = 'GET', url = '/', headers }: IncomingMessage, gone: AbortSignal): Promise<Answer> => {
    const [path = '/'] = url.split('?', 1);
    const isRead = method === 'GET' || method === 'HEAD';
    const file = files.get(path);
    if (file && isRead) return { status: 200, headers: file.headers, body: file.body };
    if (file && method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, body: '' };
    if (file) return readOnlyResponse(randomUUID());
    const page = files.get(path.replace(/\/$/, ''));
    // A page's links are relative to its own path: a trailing slash would break them.
    if (page && isRead) return { status: 301, headers: { Location: url.replace(/\/(?=\?|$)/, '') }, body: '' };
    if (url.split('&').length > MAX_PARAMETERS) {
      const detail = `The query has more than ${MAX_PARAMETERS} parameters.`;
      return gatewayResponse({ code: 'INVALID_REQUEST', detail }, randomUUID());
    }
    const { template, answer } = inOrder.find((route) => matchPath(route.template, path)) ?? others;
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    // Its time starts after a wait.
    const run = async () => {
      const result = await answer(proxyEvent(template, { method, url, headers: texts }), lambdaContext());
      const body = result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body;
      return { status: result.statusCode, headers: result.headers as Record<string, string>, body };
    };
    return limits.get(template)?.(gone, run) ?? run();
  };
}

/** The answer to a request that has failed outside a function's own handling. No such failure ends the process. */
function crashed(error: unknown): Answer {
  terminalTelemetry.error('a request could not be answered', { error });
  return gatewayResponse(NOT_AVAILABLE, randomUUID());
}
