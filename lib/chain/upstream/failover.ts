/**
 * `lib/chain/upstream`: requests to sources that have a list of providers. The choice is made per request: no health
 * checks, weights or timers that outlive a request (Lambda freezes between requests).
 */

import type { Clock } from '../../runtime/clock.ts';
import { deadline, deadlineExceeded } from '../../runtime/deadline.ts';
import { sourceUnavailable } from '../../runtime/errors.ts';
import { type Attempt, NoState, PENALTY_MS, RpcTooLarge, Throttled, UpstreamFailure } from './failures.ts';
import { Provider } from './provider.ts';

/** Maximum number of rate-limit refusals of a background request by one provider: backoffs of 13 s together. */
const MAX_REFUSALS = 8;
/** Pause in ms before providers are asked again for a state that none had: about the time a node needs to catch up. */
const CATCH_UP_MS = 250;

export interface FailoverOptions {
  /** Time in ms after which the next provider is asked, too (client), or, for each part of a size, instead (background). */
  attemptMs: number;
  /** Time limit of each provider's answer in ms. */
  budgetMs: number;
  onAttempt: (attempt: Attempt) => void;
  clock: Clock;
}

/** Sends a request to a provider. Any error that it throws counts as the provider's failure. */
type Send<T> = (provider: Provider, timeoutMs: number) => Promise<T>;

type Failed = { provider: Provider; failure: UpstreamFailure };

/** An attempt that runs. `isLate` reports and penalises it as timed out, although its answer is still awaited. */
interface Running<T> {
  started: number;
  outcome: Promise<{ provider: Provider; answer: T } | Failed>;
  isLate(): void;
}

/** The attempts of this process. */
let attempts = 0;

/** The providers of an upstream. One that has failed is asked last for 30 s, and for longer if it then fails again. */
export abstract class Failover {
  readonly providers: readonly Provider[];
  protected readonly options: FailoverOptions;
  readonly #what: string;

  /** `what` names the upstream in errors and prefixes the providers' names: `rpc` gives `rpc-1`, `rpc-2`. */
  constructor(what: string, providers: readonly (string | Provider)[], options: FailoverOptions) {
    this.#what = what;
    this.options = options;
    this.providers = providers.map((provider, index) =>
      typeof provider === 'string' ? new Provider(`${what}-${index + 1}`, provider, options.clock) : provider,
    );
  }

  /**
   * The answer of one of the providers. Throws {@link RpcTooLarge} if that is why one of them failed, DEADLINE_EXCEEDED, or
   * UPSTREAM_UNAVAILABLE, whose cause holds every failure. `size` multiplies the time of an attempt.
   */
  abstract request<T>(send: Send<T>, size?: number): Promise<T>;

  /** The providers in the configured order, or in that of `compare`, with the penalised ones last. */
  protected inOrder(compare: (a: Provider, b: Provider) => number = () => 0): Provider[] {
    return this.providers.toSorted((a, b) => Number(a.isPenalised) - Number(b.isPenalised) || compare(a, b));
  }

  /** Starts an attempt. `penaltyOf` is the penalty of its failure in ms. */
  protected start<T>(
    { provider, pauseMs }: { provider: Provider; pauseMs: number },
    timeoutMs: number,
    send: Send<T>,
    penaltyOf = (failure: UpstreamFailure) => failure.penaltyMs,
  ): Running<T> {
    const attempt = ++attempts;
    const started = this.options.clock.now();
    let isLate = false;
    const report = (outcome: string, details: Pick<Attempt, 'reason' | 'error'> = {}) =>
      this.options.onAttempt({
        provider: provider.name,
        outcome,
        ms: Math.round(this.options.clock.now() - started),
        ...details,
      });
    const answered = (answer: T) => {
      // The answer does not lift the penalty of a request that was sent later.
      provider.forgive(attempt);
      report('ok');
      return { provider, answer };
    };
    const failed = (error: unknown) => {
      const isExpected = error instanceof UpstreamFailure;
      const failure = isExpected ? error : new UpstreamFailure('unexpected', { cause: error });
      const { outcome, reason } = failure;
      failure.provider = provider.name;
      if (isLate && outcome === 'timeout') return { provider, failure };
      // A provider is not to blame for an attempt that the request's own deadline cut short.
      const isCut = outcome === 'timeout' && this.options.clock.now() >= deadline();
      provider.penalise(attempt, isCut ? 0 : penaltyOf(failure));
      report(outcome, isExpected ? { reason } : { error });
      return { provider, failure };
    };
    const sendLater = async () => {
      await this.options.clock.wait(pauseMs);
      return send(provider, Math.max(1, timeoutMs - pauseMs));
    };
    return {
      started,
      outcome: (pauseMs > 0 ? sendLater() : send(provider, timeoutMs)).then(answered, failed),
      isLate: () => {
        if (isLate) return;
        isLate = true;
        provider.penalise(attempt, PENALTY_MS);
        report('timeout');
      },
    };
  }

  /** Throws the error of a request. */
  protected fail(failed: readonly Failed[]): never {
    const failures = failed.map(({ failure }) => failure);
    const outcomes = failures.map(({ outcome }) => outcome).join(', ');
    const cause = new AggregateError(failures, `${this.#what}: ${outcomes || 'no time left'}`);
    if (this.options.clock.now() >= deadline()) throw deadlineExceeded({ cause });
    const tooLarge = failures.find((failure) => failure instanceof RpcTooLarge);
    if (tooLarge) throw tooLarge;
    throw sourceUnavailable({ cause });
  }
}

/**
 * Failover for requests that a client waits for, in the configured order. A provider that is late or fails is followed by
 * the next one, and a late one may still answer: each has the whole budget from its start. So any set of providers gives
 * at least the answers of the best one alone.
 */
export class ClientFailover extends Failover {
  async request<T>(send: Send<T>, size = 1): Promise<T> {
    const { attemptMs, budgetMs } = this.options;
    const queue = this.inOrder().map((provider) => ({ provider, pauseMs: 0 }));
    let until = Math.min(this.options.clock.now() + (queue.length - 1) * attemptMs + budgetMs, deadline());
    const running = new Map<Provider, Running<T>>();
    const failed: Failed[] = [];
    for (;;) {
      const left = until - this.options.clock.now();
      const next = left > 0 ? queue.shift() : undefined;
      if (next) running.set(next.provider, this.start(next, Math.min(left, budgetMs), send));
      if (running.size === 0) return this.fail(failed);
      const outcomes = [...running.values()].map(({ outcome }) => outcome);
      const done = new AbortController();
      const late = this.options.clock.wait(attemptMs, done.signal).catch(() => {});
      const outcome = await Promise.race(queue.length > 0 ? [...outcomes, late] : outcomes);
      done.abort();
      // A large request may take longer, unless a provider that was asked later is faster.
      if (!outcome) {
        const timely = this.options.clock.now() - attemptMs * size;
        for (const { started, isLate } of running.values()) if (started <= timely) isLate();
        continue;
      }
      if ('answer' in outcome) {
        const asked = [...running.keys()];
        for (const earlier of asked.slice(0, asked.indexOf(outcome.provider))) running.get(earlier)?.isLate();
        return outcome.answer;
      }
      const { provider, failure } = outcome;
      running.delete(provider);
      // There may be several nodes behind one address, and a node may be a block behind.
      const lacksState = failure instanceof NoState && failed.every((each) => each.provider !== provider);
      failed.push(outcome);
      if (!lacksState && !(failure instanceof RpcTooLarge && failure.mayDivide)) continue;
      queue.push({ provider, pauseMs: lacksState ? CATCH_UP_MS : 0 });
      until = Math.min(until + attemptMs, deadline());
    }
  }
}

/**
 * Failover for recorders, one provider after another: those whose rate limit lets a request start soonest are first, and
 * rate limits are waited out. There is no time limit but the run's own.
 */
export class BackgroundFailover extends Failover {
  /** Times until which providers without old states are asked last: they would be asked all the time, but are not at fault. */
  readonly #lacking = new Map<Provider, number>();

  async request<T>(send: Send<T>, size = 1): Promise<T> {
    const { attemptMs, budgetMs } = this.options;
    const turnMs = Math.min(attemptMs * size, budgetMs);
    const lacks = (provider: Provider) => Number((this.#lacking.get(provider) ?? 0) > this.options.clock.now());
    // Then those that are not backing off, and those with fewer requests.
    const order = this.inOrder(
      (a, b) =>
        lacks(a) - lacks(b) || a.rateLimit.pauseMs - b.rateLimit.pauseMs || a.rateLimit.queued - b.rateLimit.queued,
    );
    // A throttled provider gets no penalty, as its backoff spares it.
    const penaltyOf = (failure: UpstreamFailure) => (failure instanceof Throttled ? 0 : failure.penaltyMs);
    const queue = order.map((provider) => ({ provider, timeoutMs: turnMs, pauseMs: 0 }));
    const failed: Failed[] = [];
    for (const { provider, timeoutMs, pauseMs } of queue) {
      const left = deadline() - this.options.clock.now();
      if (left <= 0) break;
      const outcome = await this.start({ provider, pauseMs }, Math.min(timeoutMs, left), send, penaltyOf).outcome;
      if ('answer' in outcome) return outcome.answer;
      failed.push(outcome);
      const { failure } = outcome;
      if (failure instanceof NoState) this.#lacking.set(provider, this.options.clock.now() + PENALTY_MS);
      const times = failed.filter((each) => each.provider === provider && each.failure.outcome === failure.outcome);
      if (mayAskAgain(failure, times.length, timeoutMs < budgetMs && !provider.hasFailedAgain))
        queue.push({ provider, timeoutMs: budgetMs, pauseMs: failure instanceof NoState ? CATCH_UP_MS : 0 });
    }
    return this.fail(failed);
  }
}

/** True if a provider that has failed like this so many `times` may answer the request later. */
function mayAskAgain(failure: UpstreamFailure, times: number, mayBeSlow: boolean): boolean {
  if (failure instanceof RpcTooLarge) return failure.mayDivide;
  if (failure instanceof Throttled) return times < MAX_REFUSALS;
  // There may be several nodes behind one address, and a node may be a block behind.
  if (failure instanceof NoState) return times === 1;
  return failure.outcome === 'timeout' && mayBeSlow;
}
