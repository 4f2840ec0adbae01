import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import { createHandler, type Endpoint, type Handler } from '../../lib/endpoint.ts';
import type { Runtime } from '../../lib/runtime.ts';
import { GATEWAY_ERRORS, gatewayResponse } from '../gateway-responses.ts';

/** API Gateway and Lambda on one machine: the same handlers, given the same events. */

/** The functions' time-out in the stack. */
const FUNCTION_TIMEOUT_MS = 10_000;

interface Route {
  resource: string;
  pattern: RegExp;
  names: string[];
  handler: Handler;
}

export interface GatewayOptions {
  port: number;
  endpoints: readonly Endpoint[];
  runtime: Runtime;
  /** Called after each response. */
  onResponse?: (line: { method: string; url: string; status: number; cache: string; ms: number }) => void;
}

/** Serves the endpoints on 127.0.0.1. Rejects if the port is taken. */
export async function startGateway({ port, endpoints, runtime, onResponse }: GatewayOptions): Promise<Server> {
  const routes = endpoints.map((endpoint) => toRoute(endpoint, runtime)).sort(literalFirst);
  const server = createServer(async (request, response) => {
    const started = performance.now();
    const result = await answer(routes, request);
    send(response, result);
    onResponse?.({
      method: request.method ?? '',
      url: request.url ?? '',
      status: result.statusCode,
      cache: String(result.headers?.['X-Cache'] ?? ''),
      ms: performance.now() - started,
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

function toRoute(endpoint: Endpoint, runtime: Runtime): Route {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const pattern = new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}/?$`);
  return { resource: endpoint.path, pattern, names, handler: createHandler(endpoint, runtime) };
}

/** API Gateway prefers `/prices/history` to `/prices/{dex}`. */
function literalFirst(a: Route, b: Route): number {
  return a.names.length - b.names.length;
}

async function answer(routes: readonly Route[], request: IncomingMessage): Promise<APIGatewayProxyResult> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
  const route = routes.find(({ pattern }) => pattern.test(path));
  if (route) return route.handler(toEvent(route, request, path, new URLSearchParams(search)), lambdaContext());
  const { status, headers, body } = gatewayResponse(GATEWAY_ERRORS[0] as (typeof GATEWAY_ERRORS)[0], randomUUID());
  return { statusCode: status, headers, body };
}

/** The REST API proxy event of a request, nulls included. */
function toEvent(route: Route, request: IncomingMessage, path: string, search: URLSearchParams): APIGatewayProxyEvent {
  const values = route.pattern.exec(path)?.slice(1) ?? [];
  const params = Object.fromEntries(route.names.map((name, index) => [name, values[index]]));
  const query = [...new Set(search.keys())].map((name) => [name, search.getAll(name)] as const);
  const requestId = randomUUID();
  return {
    resource: route.resource,
    path,
    httpMethod: request.method ?? 'GET',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    multiValueHeaders: {},
    pathParameters: route.names.length > 0 ? params : null,
    queryStringParameters: query.length > 0 ? Object.fromEntries(query.map(([name, all]) => [name, all.at(-1)])) : null,
    multiValueQueryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId } as APIGatewayProxyEvent['requestContext'],
  };
}

function lambdaContext(): LambdaContext {
  const deadline = Date.now() + FUNCTION_TIMEOUT_MS;
  return { getRemainingTimeInMillis: () => deadline - Date.now() } as LambdaContext;
}

function send(
  response: ServerResponse,
  { statusCode, headers = {}, body, isBase64Encoded }: APIGatewayProxyResult,
): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, { ...headers, ...(bytes.length > 0 && { 'Content-Length': bytes.length }) } as Record<
    string,
    string
  >);
  response.end(bytes);
}
