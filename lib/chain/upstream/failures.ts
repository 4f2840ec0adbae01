/** Time in ms for which a provider that has failed is asked last. */
export const PENALTY_MS = 30_000;

type FailureOptions = ErrorOptions & { penaltyMs?: number };

export class UpstreamFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** Time in ms from now for which this provider is asked last. */
  readonly penaltyMs: number;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: FailureOptions = {}) {
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

export class Throttled extends UpstreamFailure {
  /** Time in ms until the next attempt, if the provider's answer names it. */
  readonly retryAfterMs: number | undefined;

  constructor(outcome: string, retryAfterMs?: number) {
    super(outcome);
    this.retryAfterMs = retryAfterMs;
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
