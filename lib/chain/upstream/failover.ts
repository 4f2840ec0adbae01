/**
 * `lib/chain/upstream`: requests to nodes and other sources, over HTTP and JSON-RPC, each with a list of providers that
 * can replace each other. The choice is made per request: no background health checks, no weights, no timers that
 * outlive a request (Lambda freezes between requests).
 */

import { deadline } from '../../runtime/deadline.ts';
import { CATCH_UP_MS, type Failed, Failover, type Running, type Send } from './candidates.ts';
import { NoState, PENALTY_MS, RpcTooLarge, Throttled, type UpstreamFailure } from './failures.ts';
import type { Provider } from './provider.ts';

/** Maximum number of rate-limit refusals of a background request by one provider: backoffs of 13 s together. */
const MAX_REFUSALS = 8;

/**
 * Failover for requests that a client waits for, in the configured order. A provider that is late or fails is followed by
 * the next one, and a late one may still answer: each has the whole budget from its start. So any set of providers gives
 * at least the answers of the best one alone.
 */
export class ClientFailover extends Failover {
  async request<T>(send: Send<T>, size = 1): Promise<T> {
    const { attemptMs, budgetMs } = this.options;
    const turnMs = Math.min(attemptMs * size, budgetMs);
    const queue = this.inOrder().map((provider) => ({ provider, send }));
    const sendLater: Send<T> = (provider, timeoutMs) =>
      this.clock.wait(CATCH_UP_MS).then(() => send(provider, Math.max(1, timeoutMs - CATCH_UP_MS)));
    let until = Math.min(this.clock.now() + (queue.length - 1) * turnMs + budgetMs, deadline());
    const running = new Map<Provider, Running<T>>();
    const failed: Failed[] = [];
    for (;;) {
      const left = until - this.clock.now();
      const next = left > 0 ? queue.shift() : undefined;
      if (next) running.set(next.provider, this.start(next.provider, Math.min(left, budgetMs), next.send));
      if (running.size === 0) return this.settle(failed);
      const outcomes = [...running.values()].map(({ outcome }) => outcome);
      const outcome = await this.#firstWithin(queue.length > 0 ? turnMs : undefined, outcomes);
      if (!outcome) {
        for (const { isLate } of running.values()) isLate();
        continue;
      }
      if ('answer' in outcome) return outcome.answer;
      const { provider, failure } = outcome;
      running.delete(provider);
      // There may be several nodes behind one address, and a node may be a block behind.
      const lacksState = failure instanceof NoState && failed.every((each) => each.provider !== provider);
      failed.push(outcome);
      if (!lacksState && !(failure instanceof RpcTooLarge && failure.mayDivide)) continue;
      queue.push({ provider, send: lacksState ? sendLater : send });
      until = Math.min(until + turnMs, deadline());
    }
  }

  /** The first outcome, or undefined if there is none within a time in ms. */
  async #firstWithin<O>(ms: number | undefined, outcomes: readonly Promise<O>[]): Promise<O | undefined> {
    if (ms === undefined) return Promise.race(outcomes);
    const done = new AbortController();
    const late = this.clock.wait(ms, done.signal).catch(() => {});
    try {
      return await Promise.race([...outcomes, late.then(() => undefined)]);
    } finally {
      done.abort();
    }
  }
}

/**
 * Failover for recorders, one provider after another: those whose rate limit lets a request start soonest are first, and
 * rate limits are waited out. There is no time limit but the run's own.
 */
export class BackgroundFailover extends Failover {
  async request<T>(send: Send<T>, size = 1): Promise<T> {
    const { attemptMs, budgetMs } = this.options;
    const turnMs = Math.min(attemptMs * size, budgetMs);
    const queue = this.inOrder(byQueue).map((provider) => ({ provider, timeoutMs: turnMs, pauseMs: 0 }));
    const failed: Failed[] = [];
    for (const { provider, timeoutMs, pauseMs } of queue) {
      if (pauseMs > 0) await this.clock.wait(pauseMs);
      const left = deadline() - this.clock.now();
      if (left <= 0) break;
      const limit = Math.min(timeoutMs, left);
      const outcome = await this.start(provider, limit, send, penaltyOf).outcome;
      if ('answer' in outcome) return outcome.answer;
      failed.push(outcome);
      const { failure } = outcome;
      const times = failed.filter((each) => each.provider === provider && each.failure.outcome === failure.outcome);
      if (mayAskAgain(failure, times.length, timeoutMs < budgetMs))
        queue.push({ provider, timeoutMs: budgetMs, pauseMs: failure instanceof NoState ? CATCH_UP_MS : 0 });
    }
    return this.settle(failed);
  }
}

/** Providers that are not backing off come first, then those with fewer requests. */
function byQueue({ rateLimit: a }: Provider, { rateLimit: b }: Provider): number {
  return a.pauseMs - b.pauseMs || a.queued - b.queued;
}

/** A throttled provider gets no penalty, as its backoff spares it. One without old states would be asked all the time. */
function penaltyOf(failure: UpstreamFailure): number {
  if (failure instanceof Throttled) return 0;
  return failure instanceof NoState ? PENALTY_MS : failure.penaltyMs;
}

/** True if a provider that has failed like this so many `times` may answer the same request later. */
function mayAskAgain(failure: UpstreamFailure, times: number, hadLessTime: boolean): boolean {
  if (failure instanceof RpcTooLarge) return failure.mayDivide;
  if (failure instanceof Throttled) return times < MAX_REFUSALS;
  // There may be several nodes behind one address, and a node may be a block behind.
  if (failure instanceof NoState) return times === 1;
  return failure.outcome === 'timeout' && hadLessTime;
}
