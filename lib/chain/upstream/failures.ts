import type { Clock } from '../../runtime/clock.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';

/** Time in ms for which a provider that has failed is asked last. */
export const PENALTY_MS = 30_000;
/** Minimum time in ms between two equal warnings. */
const WARNING_MS = 60_000;
export const ATTEMPT_FAILED = 'upstream attempt failed';

type FailureOptions = ErrorOptions & { penaltyMs?: number };

export class UpstreamFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** Time in ms from now for which this provider is asked last. */
  readonly penaltyMs: number;
  /** The name of the provider, once an attempt has failed. */
  provider?: string;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: FailureOptions = {}) {
    super(outcome, options);
    this.name = 'UpstreamFailure';
    this.outcome = outcome;
    this.penaltyMs = penaltyMs;
  }

  /** The cause, if it is the service's own text. Others may quote what a provider has sent. */
  get reason(): string | undefined {
    const isOwn = this.outcome === 'network' || this.outcome === 'wrong_chain';
    return isOwn && this.cause instanceof Error ? this.cause.message : undefined;
  }
}

/** The provider lacks the requested block or state: it is a block behind, or not an archive node. Usually not a fault. */
export class NoState extends UpstreamFailure {
  constructor(options?: FailureOptions) {
    super('no_state', { penaltyMs: 0, ...options });
  }
}

export class Throttled extends UpstreamFailure {
  /** Time in ms until the next attempt, if the provider's answer names it. */
  readonly retryAfterMs: number | undefined;
  /** False if the refusal may also be of the size of the request. */
  readonly isCertain: boolean;

  constructor(outcome: string, retryAfterMs?: number, isCertain = true) {
    super(outcome);
    this.retryAfterMs = retryAfterMs;
    this.isCertain = isCertain;
  }
}

/** The request needs more gas, blocks, bytes or time than the provider allows. Another provider may allow it. */
export class RpcTooLarge extends UpstreamFailure {
  /** True if a retry would send smaller requests to this provider. */
  readonly mayDivide: boolean;

  constructor({ mayDivide = false, ...options }: FailureOptions & { mayDivide?: boolean } = {}) {
    super('too_large', { penaltyMs: 0, ...options });
    this.mayDivide = mayDivide;
  }
}

/** An answer that lags behind. The freshest of these is used if no provider has a better one. */
export class StaleAnswer extends UpstreamFailure {
  readonly answer: unknown;
  /** Unix seconds of the head that the answer was read at. */
  readonly headTime: number;

  constructor(answer: unknown, headTime: number) {
    super('lagging');
    this.answer = answer;
    this.headTime = headTime;
  }
}

/** The parsed result. An error of `parse` becomes a failure. */
export function parsedOrFailure<R, T>(result: R, parse: (result: R) => T): T {
  try {
    return parse(result);
  } catch (cause) {
    throw cause instanceof UpstreamFailure ? cause : new UpstreamFailure('malformed', { cause });
  }
}

/** The failures of all attempts of a request that ended with an error. */
export function failuresIn(error: unknown): unknown[] {
  const { cause } = error as { cause?: unknown };
  return cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors : [error];
}

export interface Attempt {
  provider: string;
  outcome: string;
  ms: number;
  reason?: string | undefined;
  /** The error of an `unexpected` outcome: a defect of this service, or an answer of an unknown form. */
  error?: unknown;
}

/** Counts every attempt, and warns of failed ones: once a minute for each outcome of a provider, with the number of `times`. */
export function reportAttempt(telemetry: Telemetry, clock: Clock): (attempt: Attempt) => void {
  const warned = new Map<string, { at: number; unreported: number }>();
  return ({ provider, outcome, ms, reason, error }) => {
    telemetry.attempt(provider, outcome);
    if (error) telemetry.error(ATTEMPT_FAILED, { provider, outcome, ms, error });
    if (error || outcome === 'ok') return;
    const kind = `${provider} ${outcome}`;
    const { at, unreported } = warned.get(kind) ?? { at: Number.NEGATIVE_INFINITY, unreported: 0 };
    const isDue = clock.now() - at >= WARNING_MS;
    warned.set(kind, isDue ? { at: clock.now(), unreported: 0 } : { at, unreported: unreported + 1 });
    if (isDue)
      telemetry.warn(ATTEMPT_FAILED, { provider, outcome, ms, times: unreported + 1, ...(reason && { reason }) });
  };
}
