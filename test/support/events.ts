import { expect } from '@jest/globals';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler, type Handler } from '../../lib/api/endpoint.ts';
import type { Services } from '../../lib/api/services.ts';
import type { Problem } from '../../lib/runtime/errors.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';

interface RequestOptions {
  method?: string;
  params?: Record<string, string>;
  /** A list is a repeated parameter. */
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
}

/** The event that a REST API of API Gateway sends for a request. Missing parts are null. */
export function proxyEvent({ method = 'GET', params, query, headers }: RequestOptions = {}): APIGatewayProxyEvent {
  const values = query && Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()]));
  return {
    resource: '/',
    path: '/',
    httpMethod: method,
    headers: (headers ?? null) as APIGatewayProxyEvent['headers'],
    multiValueHeaders: null as unknown as APIGatewayProxyEvent['multiValueHeaders'],
    pathParameters: params ?? null,
    queryStringParameters: values
      ? Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1)]))
      : null,
    multiValueQueryStringParameters: values ?? null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'test-request' } as APIGatewayProxyEvent['requestContext'],
  };
}

/** The Lambda context of an invocation that has this much time left: by default more than any machine needs. */
export function lambdaContext(remainingMs = 60_000): LambdaContext {
  const deadline = Date.now() + remainingMs;
  return { getRemainingTimeInMillis: () => deadline - Date.now() } as LambdaContext;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, as clients see them
export type Body = any;

export interface HttpResponse<Answer = Body> {
  status: number;
  headers: Record<string, string>;
  body: Answer;
}

type AnyEndpoint = Pick<Endpoint, 'response'>;
/** The body of an endpoint's 200. Optional fields count as present: a test that reads one asserts that it is there. */
type BodyOf<Asked extends AnyEndpoint> = Present<z.input<ReturnType<Asked['response']>>>;
type Present<Value> = Value extends object ? { [Name in keyof Value]-?: Present<Value[Name]> } : Value;
type Errors = Present<Pick<Problem, 'code' | 'detail' | 'errors'>>;

/** Returns the response that a client gets. */
export async function send(handler: Handler, request?: RequestOptions): Promise<HttpResponse> {
  const { statusCode, headers, body } = await handler(proxyEvent(request), lambdaContext());
  return { status: statusCode, headers: headers as Record<string, string>, body: body && JSON.parse(body) };
}

/** Returns the response that a client gets from an endpoint. A 200 must match the documented response. */
export async function sendTo<Asked extends AnyEndpoint>(
  endpoint: Asked,
  runtime: Runtime<Services>,
  request?: RequestOptions,
): Promise<HttpResponse<BodyOf<Asked> & Errors>> {
  const response = await send(createHandler(endpoint as unknown as Endpoint, runtime), request);
  if (response.status === 200) expect(endpoint.response().parse(response.body)).toEqual(response.body);
  return response;
}

/** Returns the body of such a response. Fails if the status is not 200. */
export async function bodyFrom<Asked extends AnyEndpoint>(
  endpoint: Asked,
  runtime: Runtime<Services>,
  request?: RequestOptions,
): Promise<BodyOf<Asked>> {
  const { status, body } = await sendTo(endpoint, runtime, request);
  expect([status, body?.detail]).toEqual([200, undefined]);
  return body;
}
