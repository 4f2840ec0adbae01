import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  PREFLIGHT_MAX_AGE_SECONDS,
  READ_ONLY,
  SECURITY_HEADERS,
} from '../../lib/api/http/response.ts';
import { noSuchPath } from '../../lib/api/paths.ts';
import { ApiError, type ErrorCode, toProblem } from '../../lib/runtime/errors.ts';

/**
 * Errors that API Gateway returns itself, before any function runs. They have the same body and headers as the API's
 * own errors, so that clients see one kind of error only. The stack and the local gateway use this list. There are no
 * authorizers, API policies, or quotas, so their errors are not in it.
 */
export interface GatewayError {
  /** API Gateway's name for the response type. */
  type: string;
  code: ErrorCode;
  detail: string;
  /** `Retry-After`, where the code has none of its own. */
  retryAfterSeconds?: number;
  cacheControl?: string;
}

const { code, message: detail, headers } = noSuchPath();
const NO_SUCH_PATH = { code, detail, cacheControl: headers['Cache-Control'] as string };
export const SLOW_DOWN = 'Too many requests. Please slow down.';
export const REJECTED = 'The firewall rejected this request.';

export const GATEWAY_ERRORS: readonly GatewayError[] = [
  // API Gateway reports a path or method without a route as a missing token.
  { type: 'MISSING_AUTHENTICATION_TOKEN', ...NO_SUCH_PATH },
  { type: 'RESOURCE_NOT_FOUND', ...NO_SUCH_PATH },
  // Also for a missing key. Only CloudFront has one.
  { type: 'INVALID_API_KEY', code: 'FORBIDDEN', detail: 'Please use the public URL of this service.' },
  {
    type: 'REQUEST_TOO_LARGE',
    code: 'REQUEST_TOO_LARGE',
    detail: 'The request is too large. This API accepts no request bodies.',
  },
  { type: 'THROTTLED', code: 'RATE_LIMITED', detail: SLOW_DOWN, retryAfterSeconds: 1 },
  { type: 'DEFAULT_4XX', code: 'INVALID_REQUEST', detail: 'The request could not be understood.' },
  {
    type: 'DEFAULT_5XX',
    code: 'UPSTREAM_UNAVAILABLE',
    detail: 'The service is not available. Please try again shortly.',
  },
];

/**
 * Behind CloudFront, a throttled request gets a 503, for which CloudFront serves an older answer if it has one. A 429 it
 * would pass on.
 */
export function gatewayErrors(edge: boolean): readonly GatewayError[] {
  return GATEWAY_ERRORS.map((error) =>
    edge && error.type === 'THROTTLED' ? { ...error, code: 'UPSTREAM_UNAVAILABLE' } : error,
  );
}

export interface GatewayResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The response for a gateway error. `requestId` may be API Gateway's placeholder for the ID. */
export function gatewayResponse(
  { code, detail, retryAfterSeconds, cacheControl = 'no-store' }: Omit<GatewayError, 'type'>,
  requestId: string,
): GatewayResponse {
  const error = new ApiError(code, detail);
  return {
    status: error.status,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
      'Cache-Control': cacheControl,
      'Content-Type': 'application/problem+json',
      ...SECURITY_HEADERS,
      'X-Request-Id': requestId,
      ...error.headers,
      ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: JSON.stringify(toProblem(error, requestId)),
  };
}

/** The response of a static page to a method other than GET, HEAD, and OPTIONS. */
export function readOnlyResponse(requestId: string): GatewayResponse {
  const { headers, ...refused } = gatewayResponse({ code: 'METHOD_NOT_ALLOWED', detail: READ_ONLY }, requestId);
  return { ...refused, headers: { ...headers, Allow: ALLOWED_METHODS } };
}

/** Headers of a static page's response to a CORS preflight. */
export const PREFLIGHT_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
};
