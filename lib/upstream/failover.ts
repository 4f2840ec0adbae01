import { ApiError } from '../http/errors.ts';

/**
 * Ordered failover over a list of equivalent endpoints, decided per request: no health checks in the background, no weights,
 * nothing that needs a timer (Lambda freezes between requests). An endpoint that has failed is tried last for 30 s.
 */

const PENALTY_MS = 30_000;
/** When all endpoints have failed, requests fail at once for this long: a source that is down is not hammered. */
const REST_MS = 1_000;
/** `Retry-After` of the 503 when nothing answered. */
const RETRY_AFTER_SECONDS = 5;

/** Names, never URLs, appear in logs, metrics and answers: a URL may hold a key. */
export interface Endpoint {
  name: string;
  url: string;
}

/** Why an attempt did not count. Every other error that an attempt throws ends the request: it would be the same everywhere. */
export class EndpointFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** How long this endpoint is tried last. */
  readonly penaltyMs: number;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: ErrorOptions & { penaltyMs?: number } = {}) {
    super(outcome, options);
    this.name = 'EndpointFailure';
    this.outcome = outcome;
    this.penaltyMs = penaltyMs;
  }
}

/** A whole answer from an endpoint that is behind. It is used if no endpoint has a fresher one. */
export class LaggingAnswer extends EndpointFailure {
  readonly answer: unknown;
  /** Unix seconds of the head the answer was read at. */
  readonly headTime: number;

  constructor(answer: unknown, headTime: number) {
    super('lagging');
    this.answer = answer;
    this.headTime = headTime;
  }
}

export interface Attempt {
  endpoint: string;
  outcome: string;
  ms: number;
}

export interface FailoverOptions {
  /** Time limit of one attempt; the last candidate gets what is left of the budget. */
  attemptMs: number;
  /** Time limit of the whole request. */
  budgetMs: number;
  /** Called once per attempt, for logs and metrics. */
  onAttempt: (attempt: Attempt) => void;
}

export class Failover {
  readonly endpoints: readonly Endpoint[];
  readonly #what: string;
  readonly #options: FailoverOptions;
  readonly #penalisedUntil = new Map<Endpoint, number>();
  /** The last request that no endpoint answered. */
  #outage: { error: ApiError; until: number } | undefined;

  /** `what` names the upstream in errors and prefixes the endpoints' names: `rpc` gives `rpc-1`, `rpc-2`. */
  constructor(what: string, urls: readonly string[], options: FailoverOptions) {
    this.#what = what;
    this.#options = options;
    this.endpoints = urls.map((url, index) => ({ name: `${what}-${index + 1}`, url }));
  }

  /**
   * Runs `send` against one endpoint after another until one answers. Throws UPSTREAM_UNAVAILABLE when none did; its cause
   * holds every failure. Errors of `send` that are not an {@link EndpointFailure} pass through at once.
   */
  async request<T>(send: (endpoint: Endpoint, timeoutMs: number) => Promise<T>): Promise<T> {
    const { attemptMs, budgetMs } = this.#options;
    if (this.#outage && Date.now() < this.#outage.until) throw this.#outage.error;
    const deadline = Date.now() + budgetMs;
    const candidates = this.#inOrder();
    const failures: EndpointFailure[] = [];
    for (const [index, endpoint] of candidates.entries()) {
      const left = deadline - Date.now();
      if (left <= 0) break;
      const isLast = index === candidates.length - 1;
      try {
        return await this.#attempt(endpoint, isLast ? left : Math.min(left, attemptMs), send);
      } catch (error) {
        if (!(error instanceof EndpointFailure)) throw error;
        failures.push(error);
      }
    }
    const freshest = failures
      .filter((failure) => failure instanceof LaggingAnswer)
      .sort((a, b) => b.headTime - a.headTime)[0];
    if (freshest) return freshest.answer as T;
    const error = new ApiError('UPSTREAM_UNAVAILABLE', 'The data source did not answer. Please try again shortly.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause: new AggregateError(failures, `${this.#what}: ${failures.map((failure) => failure.outcome).join(', ')}`),
    });
    // Endpoints that lack one state only are up.
    if (failures.every(({ penaltyMs }) => penaltyMs > 0)) this.#outage = { error, until: Date.now() + REST_MS };
    throw error;
  }

  async #attempt<T>(
    endpoint: Endpoint,
    timeoutMs: number,
    send: (endpoint: Endpoint, timeoutMs: number) => Promise<T>,
  ) {
    const started = performance.now();
    const report = (outcome: string) =>
      this.#options.onAttempt({ endpoint: endpoint.name, outcome, ms: Math.round(performance.now() - started) });
    try {
      const answer = await send(endpoint, timeoutMs);
      this.#penalisedUntil.delete(endpoint);
      report('ok');
      return answer;
    } catch (error) {
      if (error instanceof EndpointFailure) {
        this.#penalisedUntil.set(endpoint, Date.now() + error.penaltyMs);
        report(error.outcome);
      } else {
        report('rejected');
      }
      throw error;
    }
  }

  /** The configured order, with the penalised ones last. */
  #inOrder(): Endpoint[] {
    const now = Date.now();
    const penalised = (endpoint: Endpoint) => (this.#penalisedUntil.get(endpoint) ?? 0) > now;
    return [...this.endpoints.filter((e) => !penalised(e)), ...this.endpoints.filter(penalised)];
  }
}
