import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  PREFLIGHT_MAX_AGE_SECONDS,
  READ_ONLY,
  SECURITY_HEADERS,
} from '../../lib/api/http/response.ts';
import { ApiError, type ErrorCode, toProblem } from '../../lib/runtime/errors.ts';

export const SLOW_DOWN = 'Too many requests. Please slow down.';
export const USE_PUBLIC_URL = 'Please use the public URL of this service.';

interface GatewayError {
  code: ErrorCode;
  detail: string;
  /** `Retry-After`, where the code has none of its own. */
  retryAfterSeconds?: number;
}

export const NOT_AVAILABLE = {
  type: 'DEFAULT_5XX',
  code: 'UPSTREAM_UNAVAILABLE',
  detail: 'The service is not available. Please try again shortly.',
} as const;

/** A 503, for which CloudFront serves an older response if it has one. It would pass a 429 on. */
export const THROTTLED = {
  type: 'THROTTLED',
  code: 'UPSTREAM_UNAVAILABLE',
  detail: SLOW_DOWN,
  retryAfterSeconds: 1,
} as const;

/**
 * Errors that API Gateway returns itself, before any function runs, by its name for the response's type. Body and headers are
 * those of the API's own errors. A path without a route reaches the root's function, and a request with a body does not pass
 * CloudFront, so their errors are not listed.
 */
export const GATEWAY_ERRORS: readonly (GatewayError & { type: string })[] = [
  // Also for a missing key. Only CloudFront has one.
  { type: 'INVALID_API_KEY', code: 'FORBIDDEN', detail: USE_PUBLIC_URL },
  THROTTLED,
  NOT_AVAILABLE,
];

export type GatewayResponse = ReturnType<typeof gatewayResponse>;

/** `requestId` may be a placeholder for the ID. */
export function gatewayResponse({ code, detail, retryAfterSeconds }: GatewayError, requestId: string) {
  const error = new ApiError(code, detail);
  const headers: Record<string, string> = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
    ...SECURITY_HEADERS,
    'X-Request-Id': requestId,
    ...error.headers,
    ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
  };
  return { status: error.status, headers, body: JSON.stringify(toProblem(error, requestId)) };
}

/** The response of a static page to a method other than GET, HEAD, and OPTIONS. */
export function readOnlyResponse(requestId: string): GatewayResponse {
  const refused = gatewayResponse({ code: 'METHOD_NOT_ALLOWED', detail: READ_ONLY }, requestId);
  return { ...refused, headers: { ...refused.headers, Allow: ALLOWED_METHODS } };
}

/** Headers of a static page's response to a CORS preflight. */
export const PREFLIGHT_HEADERS: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
};
