import { STATUS_CODES } from 'node:http';
import { isError } from 'ethers';

/** Every error code of the API, and its HTTP status. Codes are part of the contract and never change meaning. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  DEX_NOT_FOUND: 404,
  STAKER_NOT_FOUND: 404,
  MINIPOOL_NOT_FOUND: 404,
  VALIDATOR_NOT_FOUND: 404,
  FLAG_NOT_FOUND: 404,
  METRIC_NOT_FOUND: 404,
  NO_VALUE: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_KNOWN_YET: 409,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UPSTREAM_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

/** Time in seconds for which "no such entity" is cached, here and by clients. */
export const NOT_FOUND_SECONDS = 15;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type ParameterError = { parameter: string; message: string };

interface ApiErrorOptions extends ErrorOptions {
  /** One entry per bad parameter (400 only). */
  errors?: ParameterError[];
  /** Time up to which the requested data is known, unix seconds (409 only). */
  until?: number | undefined;
  /** Extra response headers, for example `Allow` of a 405. */
  headers?: Record<string, string>;
}

/** An error that a client may see. `detail` is public text: it never holds a URL, a key or a stack. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: (typeof ERROR_STATUS)[ErrorCode];
  readonly errors: ParameterError[] | undefined;
  readonly until: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, detail: string, { errors, until, headers, ...options }: ApiErrorOptions = {}) {
    super(detail, options);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.errors = errors;
    this.until = until;
    this.headers = { ...(code === 'UPSTREAM_UNAVAILABLE' && { 'Retry-After': '5' }), ...headers };
  }
}

/** True if a call reverted (CALL_EXCEPTION), or if there is no such view, or no contract at the address then (BAD_DATA). */
export function isRefusal(error: unknown): boolean {
  if (isError(error, 'CALL_EXCEPTION') || isError(error, 'BAD_DATA')) return true;
  // ethers' error, without a code, when a word that is no address or bytes that are no UTF-8 are read.
  return error instanceof Error && 'error' in error && error.message.startsWith('deferred error during ABI decoding');
}

/** The log level of an error: all but an {@link ApiError}, a refused call and a late table is a bug of this service. */
export function levelOf(error: unknown): 'warn' | 'error' {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return error instanceof ApiError || isRefusal(error) || isTimeout ? 'warn' : 'error';
}

/** The error that clients get for a bug of this service. The log has the cause, under the same request ID. */
export function internalError(): ApiError {
  return new ApiError('INTERNAL', 'Something went wrong on our side. If this persists, please report the requestId.');
}

/** A required call was refused: a contract may be replaced, or no longer be registered, at any time. */
export function contractUnavailable(cause?: unknown): ApiError {
  const detail = 'A protocol contract is missing or does not answer as expected. Please try again later.';
  return new ApiError('UPSTREAM_UNAVAILABLE', detail, { cause });
}

/** Data of a range that is not known yet, or only up to `until` (unix seconds), which a file could not show. */
export function notKnownYet(detail: string, until?: number): ApiError {
  return new ApiError('NOT_KNOWN_YET', detail, { until });
}

export function sourceUnavailable(options?: ErrorOptions): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The data source did not answer. Please try again shortly.', options);
}

/** No provider has the block of a snapshot any more, or yet: what was read at it must be read anew, at another one. */
export class BlockLost extends ApiError {
  constructor(cause: unknown) {
    super('UPSTREAM_UNAVAILABLE', 'The data source lost a block. Please try again shortly.', { cause });
  }
}

/** The 400 for one bad parameter. Its text is `<parameter> <message>.` */
export function badParameter(parameter: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', `${parameter} ${message}.`, { errors: [{ parameter, message }] });
}

export type Problem = ReturnType<typeof toProblem>;

/** The RFC 9457 body of an error. `error` repeats `code` for clients that have always tested `json.error`. */
export function toProblem({ code, status, message, errors, until }: ApiError, requestId: string) {
  return {
    type: 'about:blank',
    // With this type, the RFC requires the reason phrase as title.
    title: STATUS_CODES[status],
    ...{ status, detail: message, code, error: code },
    /** Is in the log, too. */
    requestId,
    ...(errors && { errors }),
    ...(until !== undefined && { until }),
  };
}
