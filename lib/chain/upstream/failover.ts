/**
 * `lib/chain/upstream`: requests to nodes and other sources, over HTTP and JSON-RPC, each with a list of providers that
 * can stand in for each other. Used by `lib/chain`, `lib/ledger`, `lib/protocol` and
 * `lib/validators`.
 */

import { type Clock, systemClock } from '../../runtime/clock.ts';
import { deadline, deadlineExceeded } from '../../runtime/deadline.ts';
import { type ApiError, sourceUnavailable } from '../../runtime/errors.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';

const PENALTY_MS = 30_000;
const UNTRUE_MS = 600_000;
/** After all providers have failed, requests fail at once for this long, so as not to hammer a source that is down. */
const OUTAGE_MS = 1_000;
/** Pause before a sole provider is asked again for a state it lacked: about what a node needs to catch up. */
const CATCH_UP_MS = 250;
/** Between two warnings that say the same. */
const WARNING_MS = 60_000;
const FAILED = 'upstream attempt failed';

/** One of several equivalent providers. Logs, metrics and responses show names, never URLs: a URL may hold a key. */
export interface Provider {
  name: string;
  url: string;
}

/**
 * Ends a request: every provider would refuse it. Whatever else an attempt throws counts as the provider's failure, a
 * fault of our own code that its answer brings to light included, and the next provider is tried.
 */
export class Refused extends Error {}

/** A failed attempt, after which the next provider is tried. */
export class UpstreamFailure extends Error {
  /** A short stable word for metrics: `timeout`, `http_429`, `not_json` … */
  readonly outcome: string;
  /** How long this provider is tried last from now on. */
  readonly penaltyMs: number;

  constructor(outcome: string, { penaltyMs = PENALTY_MS, ...options }: ErrorOptions & { penaltyMs?: number } = {}) {
    super(outcome, options);
    this.name = 'UpstreamFailure';
    this.outcome = outcome;
    this.penaltyMs = penaltyMs;
  }
}

/**
 * The provider lacks the requested block or state: it is a block behind, or not an archive node. Not a fault: it is not
 * penalised, and the next provider is asked.
 */
export class NoState extends UpstreamFailure {
  constructor(options?: ErrorOptions) {
    super('no_state', { ...options, penaltyMs: 0 });
  }
}

/** The provider has been asked too often. */
export class Throttled extends UpstreamFailure {
  /** How long it wants to be left alone, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(outcome: string, retryAfterMs?: number) {
    super(outcome);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * An answer from a provider that lags behind, or refused a part of what was asked. It is used if no provider has a better
 * one, the freshest of several.
 */
export class LesserAnswer extends UpstreamFailure {
  readonly answer: unknown;
  /** Unix seconds of the head the answer was read at. */
  readonly headTime: number;

  constructor(outcome: 'lagging' | 'incomplete', answer: unknown, headTime: number) {
    super(outcome);
    this.answer = answer;
    this.headTime = headTime;
  }
}

export interface Attempt {
  provider: string;
  outcome: string;
  ms: number;
  /** What an `unexpected` outcome threw: a defect of ours, or an answer that nobody thought of. */
  error?: unknown;
}

export interface FailoverOptions {
  /** Time limit of one attempt; the last candidate gets what is left of the budget. */
  attemptMs: number;
  /** Time limit of the whole request. */
  budgetMs: number;
  /** Called once per attempt, for logs and metrics. */
  onAttempt: (attempt: Attempt) => void;
  /**
   * About how long a provider lets the next request wait, ms. With it, requests go to whoever has the shortest wait, so that
   * those who ask much at once are served by all.
   */
  waitOf?: (provider: Provider) => number;
  clock?: Clock;
}

/** Sends a request. It `mayWait` for a provider that refuses for now, because no other one is up. */
type Send<T> = (provider: Provider, timeoutMs: number, mayWait: boolean) => Promise<T>;

/**
 * Ordered failover over a list of equivalent providers, decided per request: no background health checks, no weights,
 * nothing that needs a timer (Lambda freezes between requests). A provider that has failed is tried last for 30 s.
 */
export class Failover {
  readonly providers: readonly Provider[];
  readonly #what: string;
  readonly #options: FailoverOptions;
  readonly #clock: Clock;
  readonly #penalisedUntil = new Map<Provider, number>();
  /** The last request that no provider answered; its error is thrown again until then. */
  #outage: { error: ApiError; until: number } | undefined;

  /** `what` names the upstream in errors and prefixes the providers' names: `rpc` gives `rpc-1`, `rpc-2`. */
  constructor(what: string, urls: readonly string[], options: FailoverOptions) {
    this.#what = what;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.providers = urls.map((url, index) => ({ name: `${what}-${index + 1}`, url }));
  }

  /**
   * Runs `send` against one provider after another until one answers. A sole provider that lacks a state is asked once
   * more: there may be several nodes behind one address. Throws UPSTREAM_UNAVAILABLE if none answered, or
   * DEADLINE_EXCEEDED if the request ran out of time; the cause holds every failure. A {@link Refused} of `send` is thrown
   * at once. `size` multiplies the time limit of an attempt. With `only`, no other provider is asked.
   */
  async request<T>(send: Send<T>, { size = 1, only }: { size?: number; only?: Provider | undefined } = {}): Promise<T> {
    const { budgetMs } = this.#options;
    const attemptMs = this.#options.attemptMs * size;
    if (this.#outage && this.#clock.now() < this.#outage.until) throw this.#outage.error;
    const until = Math.min(this.#clock.now() + budgetMs, deadline());
    const candidates = only ? [only] : this.#inOrder();
    const failures: UpstreamFailure[] = [];
    for (const [index, provider] of candidates.entries()) {
      const left = until - this.#clock.now();
      if (left <= 0) break;
      const isLast = index === candidates.length - 1;
      try {
        const mayWait = candidates.slice(index + 1).every((other) => this.#isPenalised(other));
        return await this.#attempt(provider, isLast ? left : Math.min(left, attemptMs), mayWait, send);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failures.push(error);
        if (error instanceof NoState && this.providers.length === 1 && failures.length === 1) {
          candidates.push(provider);
          await this.#clock.wait(CATCH_UP_MS);
        }
      }
    }
    const freshest = failures
      .filter((failure) => failure instanceof LesserAnswer)
      .sort((a, b) => b.headTime - a.headTime)[0];
    if (freshest) return freshest.answer as T;
    const outcomes = failures.map(({ outcome }) => outcome).join(', ');
    const cause = new AggregateError(failures, `${this.#what}: ${outcomes || 'no time left'}`);
    if (this.#clock.now() >= deadline()) throw deadlineExceeded({ cause });
    const error = sourceUnavailable({ cause });
    // Providers that merely lack a state are up.
    if (failures.every(({ penaltyMs }) => penaltyMs > 0)) {
      this.#outage = { error, until: this.#clock.now() + OUTAGE_MS };
    }
    throw error;
  }

  /** Tries a provider last for a while: what it answered was whole, but not true. */
  avoid(provider: Provider): void {
    this.#penalise(provider, UNTRUE_MS);
  }

  #penalise(provider: Provider, ms: number): void {
    const until = Math.max(this.#penalisedUntil.get(provider) ?? 0, this.#clock.now() + ms);
    this.#penalisedUntil.set(provider, until);
  }

  async #attempt<T>(provider: Provider, timeoutMs: number, mayWait: boolean, send: Send<T>) {
    const started = performance.now();
    const penalty = this.#penalisedUntil.get(provider);
    const report = (outcome: string, defect: Pick<Attempt, 'error'> = {}) =>
      this.#options.onAttempt({
        provider: provider.name,
        outcome,
        ms: Math.round(performance.now() - started),
        ...defect,
      });
    try {
      const answer = await send(provider, timeoutMs, mayWait);
      // It says nothing about a failure since it was asked.
      if (this.#penalisedUntil.get(provider) === penalty) this.#penalisedUntil.delete(provider);
      report('ok');
      return answer;
    } catch (error) {
      if (error instanceof Refused) {
        report('rejected');
        throw error;
      }
      const isExpected = error instanceof UpstreamFailure;
      const failure = isExpected ? error : new UpstreamFailure('unexpected', { cause: error });
      this.#penalise(provider, this.#penaltyOf(failure));
      report(failure.outcome, isExpected ? {} : { error });
      throw failure;
    }
  }

  /**
   * An attempt that the request's own deadline cut short says nothing about the provider. Among those that share requests, one
   * that is asked too often is spared by the wait for it, and one without old states would be asked in vain all the time.
   */
  #penaltyOf(failure: UpstreamFailure): number {
    if (this.#options.waitOf && failure instanceof Throttled) return 0;
    if (this.#options.waitOf && failure instanceof NoState) return PENALTY_MS;
    return failure.outcome === 'timeout' && this.#clock.now() >= deadline() ? 0 : failure.penaltyMs;
  }

  #isPenalised(provider: Provider): boolean {
    return (this.#penalisedUntil.get(provider) ?? 0) > this.#clock.now();
  }

  /** The configured order, or that of the waits, with the penalised ones last. */
  #inOrder(): Provider[] {
    const { waitOf = () => 0 } = this.#options;
    const rank = (provider: Provider) => Number(this.#isPenalised(provider));
    return this.providers.toSorted((a, b) => rank(a) - rank(b) || waitOf(a) - waitOf(b));
  }
}

/**
 * Counts every attempt at an upstream provider and warns of those that failed: of each outcome of a provider once a minute, with how
 * many `times` since the warning before. A provider that is shared refuses many of a backfill's requests.
 */
export function reportAttempt(telemetry: Telemetry, clock: Clock = systemClock): (attempt: Attempt) => void {
  const warned = new Map<string, { at: number; unsaid: number }>();
  const warn = ({ provider, outcome, ms }: Attempt) => {
    const kind = `${provider} ${outcome}`;
    const { at, unsaid } = warned.get(kind) ?? { at: Number.NEGATIVE_INFINITY, unsaid: 0 };
    const isDue = clock.now() - at >= WARNING_MS;
    warned.set(kind, isDue ? { at: clock.now(), unsaid: 0 } : { at, unsaid: unsaid + 1 });
    if (isDue) telemetry.warn(FAILED, { provider, outcome, ms, times: unsaid + 1 });
  };
  return (attempt) => {
    const { provider, outcome, ms, error } = attempt;
    telemetry.attempt(provider, outcome);
    if (error) telemetry.error(FAILED, { provider, outcome, ms, error });
    else if (outcome !== 'ok') warn(attempt);
  };
}
