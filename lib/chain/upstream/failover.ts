/**
 * `lib/chain/upstream`: requests to nodes and other sources, over HTTP and JSON-RPC, each with a list of providers that
 * can replace each other. Used by `lib/chain`, `lib/ledger`, `lib/protocol` and `lib/validators`.
 */

import { type Clock, isPending, systemClock } from '../../runtime/clock.ts';
import { deadline, deadlineExceeded } from '../../runtime/deadline.ts';
import { type ApiError, sourceUnavailable } from '../../runtime/errors.ts';
import type { Telemetry } from '../../runtime/telemetry.ts';
import { NoState, PENALTY_MS, RpcTooLarge, StaleAnswer, Throttled, UpstreamFailure } from './failures.ts';

/** Longest penalty in ms: that of a provider of another chain (rpc.ts). */
const LONGEST_PENALTY_MS = 300_000;
/** Time in ms for which requests fail at once after all providers have failed, to spare a source that is down. */
const OUTAGE_MS = 1_000;
/** Pause in ms before a sole provider is asked again for a state it lacked: about the time a node needs to catch up. */
const CATCH_UP_MS = 250;
/** Maximum number of rate-limit refusals per provider before a request fails: backoffs of 51 s together. */
const MAX_REFUSALS = 10;
/** Minimum time in ms between two equal warnings. */
const WARNING_MS = 60_000;
const FAILED = 'upstream attempt failed';

/** One of several equivalent providers. Logs, metrics and responses show names, never URLs: a URL may hold a key. */
export interface Provider {
  name: string;
  url: string;
}

export interface Attempt {
  provider: string;
  outcome: string;
  ms: number;
  /** The reason for which there was no connection, if that is the outcome. */
  reason?: string;
  /** The error of an `unexpected` outcome: a defect of this service, or an answer of an unknown form. */
  error?: unknown;
}

export interface FailoverOptions {
  /** Time limit of one attempt. The last candidate without a penalty gets what is left of the budget. */
  attemptMs: number;
  /** Time limit of the whole request; of its last attempt if the request waits out rate limits. */
  budgetMs: number;
  /** Called once per attempt, for logs and metrics. */
  onAttempt: (attempt: Attempt) => void;
  /**
   * About how long a provider's rate limit delays the next request, in ms. With it, requests wait out rate limits, and go
   * to the provider with the shortest delay.
   */
  queueDelay?: (provider: Provider) => number;
  /** Maximum number of rate-limit refusals per provider before a request fails; {@link MAX_REFUSALS} by default. */
  maxRefusals?: number;
  clock?: Clock;
}

type Send<T> = (provider: Provider, timeoutMs: number) => Promise<T>;

/**
 * Ordered failover over a list of equivalent providers, decided per request: no background health checks, no weights, no
 * timers (Lambda freezes between requests). A provider that has failed is asked last for 30 s.
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
  constructor(what: string, providers: readonly (string | Provider)[], options: FailoverOptions) {
    this.#what = what;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.providers = providers.map((provider, index) =>
      typeof provider === 'string' ? { name: `${what}-${index + 1}`, url: provider } : provider,
    );
  }

  /**
   * Runs `send` against one provider after another until one answers. Any error of `send` counts as the provider's
   * failure. Throws {@link RpcTooLarge} if the request is too large for a provider and no other one answers,
   * DEADLINE_EXCEEDED if it ran out of time, and otherwise UPSTREAM_UNAVAILABLE, whose cause holds every failure. `size`
   * multiplies the time limit of an attempt.
   */
  async request<T>(send: Send<T>, { size = 1 }: { size?: number } = {}): Promise<T> {
    const { budgetMs, queueDelay } = this.#options;
    if (this.#outage && isPending(this.#outage.until, OUTAGE_MS, this.#clock.now())) throw this.#outage.error;
    const until = Math.min(queueDelay ? Number.POSITIVE_INFINITY : this.#clock.now() + budgetMs, deadline());
    const candidates = this.#inOrder();
    const failures: UpstreamFailure[] = [];
    for (const [index, provider] of candidates.entries()) {
      const left = Math.min(until - this.#clock.now(), budgetMs);
      if (left <= 0) break;
      const isLast = this.#isLast(provider, candidates.slice(index + 1));
      const outcome = await this.#attempt(
        provider,
        isLast ? left : Math.min(left, this.#options.attemptMs * size),
        send,
      );
      if ('answer' in outcome) return outcome.answer;
      failures.push(outcome.failure);
      if (await this.#mayAskAgain(outcome.failure, failures)) candidates.push(provider);
    }
    const freshest = failures
      .filter((failure) => failure instanceof StaleAnswer)
      .sort((a, b) => b.headTime - a.headTime)[0];
    if (freshest) return freshest.answer as T;
    throw this.#errorOf(failures);
  }

  /** True for the last provider without a penalty: it gets the time of the penalised ones. */
  #isLast(provider: Provider, others: readonly Provider[]): boolean {
    return others.every((other) => this.#isPenalised(other) && !this.#isPenalised(provider));
  }

  /** True if the failed provider may answer the same request later. Waits before it returns, if a pause is needed. */
  async #mayAskAgain(failure: UpstreamFailure, failures: readonly UpstreamFailure[]): Promise<boolean> {
    if (failure instanceof RpcTooLarge) return failure.mayDivide;
    if (failure instanceof Throttled && this.#options.queueDelay) {
      const { maxRefusals = MAX_REFUSALS } = this.#options;
      return failures.filter((each) => each instanceof Throttled).length <= (maxRefusals - 1) * this.providers.length;
    }
    // There may be several nodes behind one address.
    if (!(failure instanceof NoState && this.providers.length === 1 && failures.length === 1)) return false;
    await this.#clock.wait(CATCH_UP_MS);
    return true;
  }

  /** The error of a request that no provider answered. */
  #errorOf(failures: readonly UpstreamFailure[]): Error {
    const outcomes = failures.map(({ outcome }) => outcome).join(', ');
    const cause = new AggregateError(failures, `${this.#what}: ${outcomes || 'no time left'}`);
    if (this.#clock.now() >= deadline()) return deadlineExceeded({ cause });
    const tooLarge = failures.find((failure) => failure instanceof RpcTooLarge);
    if (tooLarge) return tooLarge;
    const error = sourceUnavailable({ cause });
    // Providers that merely lack a state are up.
    if (failures.every(({ penaltyMs }) => penaltyMs > 0)) {
      this.#outage = { error, until: this.#clock.now() + OUTAGE_MS };
    }
    return error;
  }

  #penalise(provider: Provider, ms: number): void {
    const until = Math.max(this.#penalisedUntil.get(provider) ?? 0, this.#clock.now() + ms);
    this.#penalisedUntil.set(provider, until);
  }

  async #attempt<T>(
    provider: Provider,
    timeoutMs: number,
    send: Send<T>,
  ): Promise<{ answer: T } | { failure: UpstreamFailure }> {
    const started = performance.now();
    const penalty = this.#penalisedUntil.get(provider);
    const report = (outcome: string, details: Pick<Attempt, 'reason' | 'error'> = {}) =>
      this.#options.onAttempt({
        provider: provider.name,
        outcome,
        ms: Math.round(performance.now() - started),
        ...details,
      });
    try {
      const answer = await send(provider, timeoutMs);
      // The answer does not lift the penalty of a failure since the request was sent.
      if (this.#penalisedUntil.get(provider) === penalty) this.#penalisedUntil.delete(provider);
      report('ok');
      return { answer };
    } catch (error) {
      const isExpected = error instanceof UpstreamFailure;
      const failure = isExpected ? error : new UpstreamFailure('unexpected', { cause: error });
      this.#penalise(provider, this.#penaltyOf(failure));
      const { cause } = failure;
      const isNetwork = failure.outcome === 'network' && cause instanceof Error;
      if (isNetwork) report(failure.outcome, { reason: cause.message });
      else report(failure.outcome, isExpected ? {} : { error });
      return { failure };
    }
  }

  /**
   * The penalty of a failure in ms. None for an attempt that the request's own deadline cut short: the provider is not to
   * blame. If requests wait out rate limits, a throttled provider gets none, because its queue delay spares it. In that
   * case, a provider without old states gets one, or it would be asked in vain all the time.
   */
  #penaltyOf(failure: UpstreamFailure): number {
    if (this.#options.queueDelay && failure instanceof Throttled) return 0;
    if (this.#options.queueDelay && failure instanceof NoState) return PENALTY_MS;
    return failure.outcome === 'timeout' && this.#clock.now() >= deadline() ? 0 : failure.penaltyMs;
  }

  #isPenalised(provider: Provider): boolean {
    return isPending(this.#penalisedUntil.get(provider) ?? 0, LONGEST_PENALTY_MS, this.#clock.now());
  }

  /** The providers in the configured order, or by queue delay, with the penalised ones last. */
  #inOrder(): Provider[] {
    const { queueDelay = () => 0 } = this.#options;
    const rank = (provider: Provider) => Number(this.#isPenalised(provider));
    return this.providers.toSorted((a, b) => rank(a) - rank(b) || queueDelay(a) - queueDelay(b));
  }
}

/**
 * Counts every attempt at an upstream provider and warns of those that failed: once a minute for each outcome of a
 * provider, with the number of `times` since the previous warning. A shared provider refuses many requests of a backfill.
 */
export function reportAttempt(telemetry: Telemetry, clock: Clock): (attempt: Attempt) => void {
  const warned = new Map<string, { at: number; unsaid: number }>();
  const warn = ({ provider, outcome, ms, reason }: Attempt) => {
    const kind = `${provider} ${outcome}`;
    const { at, unsaid } = warned.get(kind) ?? { at: Number.NEGATIVE_INFINITY, unsaid: 0 };
    const isDue = clock.now() - at >= WARNING_MS;
    warned.set(kind, isDue ? { at: clock.now(), unsaid: 0 } : { at, unsaid: unsaid + 1 });
    if (isDue) telemetry.warn(FAILED, { provider, outcome, ms, times: unsaid + 1, ...(reason && { reason }) });
  };
  return (attempt) => {
    const { provider, outcome, ms, error } = attempt;
    telemetry.attempt(provider, outcome);
    if (error) telemetry.error(FAILED, { provider, outcome, ms, error });
    else if (outcome !== 'ok') warn(attempt);
  };
}
