/** The ways in which an attempt at a provider fails. After each of them, the next provider is asked. */

/** How long a provider that has failed is asked last. */
export const PENALTY_MS = 30_000;

/** A failed attempt, after which the next provider is asked. */
export class UpstreamFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** How long this provider is asked last from now on. */
  readonly penaltyMs: number;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: ErrorOptions & { penaltyMs?: number } = {}) {
    super(outcome, options);
    this.name = 'UpstreamFailure';
    this.outcome = outcome;
    this.penaltyMs = penaltyMs;
  }
}

/** The provider lacks the requested block or state: it is a block behind, or not an archive node. Not a fault. */
export class NoState extends UpstreamFailure {
  constructor(options?: ErrorOptions) {
    super('no_state', { ...options, penaltyMs: 0 });
  }
}

/** The provider's rate limit was exceeded. */
export class Throttled extends UpstreamFailure {
  /** When to ask it again, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(outcome: string, retryAfterMs?: number) {
    super(outcome);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request needs more gas, blocks or bytes than the provider allows. Another provider may allow it. */
export class RpcTooLarge extends UpstreamFailure {
  /** Whether this provider would get smaller requests if it was asked again. */
  readonly mayDivide: boolean;

  constructor({ mayDivide = false, ...options }: ErrorOptions & { mayDivide?: boolean } = {}) {
    super('too_large', { ...options, penaltyMs: 0 });
    this.mayDivide = mayDivide;
  }
}

/**
 * An answer from a provider that lags behind, or that left out a part of the request. It is used if no provider has a
 * better one, the freshest of several.
 */
export class StaleAnswer extends UpstreamFailure {
  readonly answer: unknown;
  /** Unix seconds of the head that the answer was read at. */
  readonly headTime: number;

  constructor(outcome: 'lagging' | 'incomplete', answer: unknown, headTime: number) {
    super(outcome);
    this.answer = answer;
    this.headTime = headTime;
  }
}
