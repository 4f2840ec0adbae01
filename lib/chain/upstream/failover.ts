import { type Clock, monotonicMs, systemClock } from '../../runtime/clock.ts';
import { deadline, deadlineExceeded } from '../../runtime/deadline.ts';
import { type ApiError, sourceUnavailable } from '../../runtime/errors.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';

/**
 * Ordered failover over a list of equivalent endpoints, decided per request: no background health checks, no weights,
 * nothing that needs a timer (Lambda freezes between requests). An endpoint that has failed is tried last for 30 s.
 */

const PENALTY_MS = 30_000;
/** After all endpoints have failed, requests fail at once for this long, so as not to hammer a source that is down. */
const OUTAGE_MS = 1_000;
/** Pause before a sole endpoint is asked again for a state it lacked: about what a node needs to catch up. */
const CATCH_UP_MS = 250;

/** One of several equivalent endpoints. Logs, metrics and responses show names, never URLs: a URL may hold a key. */
export interface Upstream {
  name: string;
  url: string;
}

/**
 * A failed attempt, after which the next endpoint is tried. Any other error of an attempt ends the request: it would be
 * the same everywhere.
 */
export class UpstreamFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** How long this endpoint is tried last from now on. */
  readonly penaltyMs: number;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: ErrorOptions & { penaltyMs?: number } = {}) {
    super(outcome, options);
    this.name = 'UpstreamFailure';
    this.outcome = outcome;
    this.penaltyMs = penaltyMs;
  }
}

/**
 * The endpoint lacks the requested block or state: it is a block behind, or not an archive node. Not a fault: it is not
 * penalised, and the next endpoint is asked.
 */
export class NoState extends UpstreamFailure {
  constructor(options?: ErrorOptions) {
    super('no_state', { ...options, penaltyMs: 0 });
  }
}

/** A complete answer from an endpoint that lags behind. It is used if no endpoint has a fresher one. */
export class LaggingAnswer extends UpstreamFailure {
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
  clock?: Clock;
}

export class Failover {
  readonly endpoints: readonly Upstream[];
  readonly #what: string;
  readonly #options: FailoverOptions;
  readonly #clock: Clock;
  readonly #penalisedUntil = new Map<Upstream, number>();
  /** The last request that no endpoint answered; its error is thrown again until then. */
  #outage: { error: ApiError; until: number } | undefined;

  /** `what` names the upstream in errors and prefixes the endpoints' names: `rpc` gives `rpc-1`, `rpc-2`. */
  constructor(what: string, urls: readonly string[], options: FailoverOptions) {
    this.#what = what;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.endpoints = urls.map((url, index) => ({ name: `${what}-${index + 1}`, url }));
  }

  /**
   * Runs `send` against one endpoint after another until one answers. A sole endpoint that lacks a state is asked once
   * more: there may be several nodes behind one address. Throws UPSTREAM_UNAVAILABLE if none answered, or
   * DEADLINE_EXCEEDED if the request ran out of time; the cause holds every failure. Errors of `send` other than {@link
   * UpstreamFailure} are thrown at once.
   */
  async request<T>(send: (endpoint: Upstream, timeoutMs: number) => Promise<T>): Promise<T> {
    const { attemptMs, budgetMs } = this.#options;
    if (this.#outage && this.#clock.now() < this.#outage.until) throw this.#outage.error;
    const until = Math.min(this.#clock.now() + budgetMs, deadline());
    const candidates = this.#inOrder();
    const failures: UpstreamFailure[] = [];
    for (const [index, endpoint] of candidates.entries()) {
      const left = until - this.#clock.now();
      if (left <= 0) break;
      const isLast = index === candidates.length - 1;
      try {
        return await this.#attempt(endpoint, isLast ? left : Math.min(left, attemptMs), send);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failures.push(error);
        if (error instanceof NoState && this.endpoints.length === 1 && failures.length === 1) {
          candidates.push(endpoint);
          await this.#clock.wait(CATCH_UP_MS);
        }
      }
    }
    const freshest = failures
      .filter((failure) => failure instanceof LaggingAnswer)
      .sort((a, b) => b.headTime - a.headTime)[0];
    if (freshest) return freshest.answer as T;
    const outcomes = failures.map(({ outcome }) => outcome).join(', ');
    const cause = new AggregateError(failures, `${this.#what}: ${outcomes || 'no time left'}`);
    if (this.#clock.now() >= deadline()) throw deadlineExceeded({ cause });
    const error = sourceUnavailable({ cause });
    // Endpoints that merely lack a state are up.
    if (failures.every(({ penaltyMs }) => penaltyMs > 0)) {
      this.#outage = { error, until: this.#clock.now() + OUTAGE_MS };
    }
    throw error;
  }

  async #attempt<T>(
    endpoint: Upstream,
    timeoutMs: number,
    send: (endpoint: Upstream, timeoutMs: number) => Promise<T>,
  ) {
    const started = monotonicMs();
    const report = (outcome: string) =>
      this.#options.onAttempt({ endpoint: endpoint.name, outcome, ms: Math.round(monotonicMs() - started) });
    try {
      const answer = await send(endpoint, timeoutMs);
      this.#penalisedUntil.delete(endpoint);
      report('ok');
      return answer;
    } catch (error) {
      if (error instanceof UpstreamFailure) {
        this.#penalisedUntil.set(endpoint, this.#clock.now() + this.#penaltyOf(error));
        report(error.outcome);
      } else {
        report('rejected');
      }
      throw error;
    }
  }

  /** An attempt that the request's own deadline cut short says nothing about the endpoint. */
  #penaltyOf({ outcome, penaltyMs }: UpstreamFailure): number {
    return outcome === 'timeout' && this.#clock.now() >= deadline() ? 0 : penaltyMs;
  }

  /** The configured order, with the penalised ones last. */
  #inOrder(): Upstream[] {
    const now = this.#clock.now();
    const penalised = (endpoint: Upstream) => (this.#penalisedUntil.get(endpoint) ?? 0) > now;
    return [...this.endpoints.filter((e) => !penalised(e)), ...this.endpoints.filter(penalised)];
  }
}

/** Counts every attempt at an upstream endpoint and warns of those that failed. */
export function reportAttempt(telemetry: Telemetry): (attempt: Attempt) => void {
  return ({ endpoint, outcome, ms }) => {
    telemetry.attempt(endpoint, outcome);
    if (outcome !== 'ok') telemetry.warn('upstream attempt failed', { endpoint, outcome, ms });
  };
}
