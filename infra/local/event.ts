/** API Gateway's events, for the local gateway and the tools that invoke functions directly. */

import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { FUNCTION_TIMEOUT_SECONDS } from '../stack/limits.ts';
import { matchPath } from './path-templates.ts';

/** The event of API Gateway's REST API for a request to the route `template`, nulls included. `url`: path and query, as sent. */
export function proxyEvent(
  template: string,
  { method, url, headers }: { method: string; url: string; headers: Record<string, string> },
): APIGatewayProxyEvent {
  // Only the first question mark ends the path. Later ones are part of a value.
  const [, path = '/', search = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const params = matchPath(template, path) ?? {};
  // One pass: thousands of names must not hold up other requests.
  const grouped = Map.groupBy(new URLSearchParams(search), ([name]) => name);
  const query = [...grouped].map(([name, pairs]): [string, string[]] => [name, pairs.map(([, value]) => value)]);
  const orNull = <Value>(entries: [string, Value][]) => (entries.length > 0 ? Object.fromEntries(entries) : null);
  return {
    resource: template,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: orNull(Object.entries(params)),
    queryStringParameters: orNull(query.map(([name, values]) => [name, values.at(-1)])),
    multiValueQueryStringParameters: orNull(query),
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), path } as APIGatewayProxyEvent['requestContext'],
  };
}

export function lambdaContext(): LambdaContext {
  const deadline = performance.now() + FUNCTION_TIMEOUT_SECONDS * 1_000;
  return { getRemainingTimeInMillis: () => deadline - performance.now() } as LambdaContext;
}
