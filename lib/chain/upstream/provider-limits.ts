/**
 * The limits of each provider, as far as its answers reveal them: halved on a refusal, one step up per success. One
 * object per URL and process, because clients and recorders of a process share the provider.
 */

import { type Clock, systemClock } from '../../runtime/clock.ts';
import type { Provider } from './failover.ts';
import { Throttled } from './failures.ts';

/** Maximum number of calls that api.avax.network takes in a batch (its documentation, 2026-11). */
const MAX_BATCH_CALLS = 40;
/** Concurrency of background requests, at first and at most. */
const FIRST_CONCURRENCY = 2;
const MAX_CONCURRENCY = 16;
/**
 * Increase of the concurrency by a success. With rate limits of 5 to 50 requests a second, it uses 75 to 100 % of the
 * limit (measured in provider-limits.test.ts). A step of one per round trip quadruples the refusals.
 */
const STEP = 0.1;
/** Backoff after a refusal that names no time; doubled by each further one in a row. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 60_000;

const byUrl = new Map<string, ProviderLimits>();

/** The limits of a provider in this process. */
export function findLimits({ url }: Provider): ProviderLimits {
  const limits = byUrl.get(url) ?? new ProviderLimits();
  byUrl.set(url, limits);
  return limits;
}

export class ProviderLimits {
  /** Calls per batch now, and the most that the provider has not ruled out. */
  #calls = MAX_BATCH_CALLS;
  #maxCalls = MAX_BATCH_CALLS;
  #concurrency = FIRST_CONCURRENCY;
  #clientRequests = 0;
  #backgroundRequests = 0;
  /** Starts the background requests that wait for their turn, in their order. */
  readonly #waiting: (() => void)[] = [];
  #backoffMs = FIRST_BACKOFF_MS;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** The most calls to send in one batch. */
  get callsPerBatch(): number {
    return this.#calls;
  }

  /** About how long the next background request would wait, in ms. The least busy of idle providers is first. */
  queueDelayMs(clock: Clock = systemClock): number {
    const queue = (this.#waiting.length + this.#backgroundRequests) / this.#concurrency;
    return Math.max(0, this.#pausedUntil - clock.now()) + queue;
  }

  /** The provider takes at most so many calls in a batch. */
  limitBatches(calls: number): void {
    this.#maxCalls = Math.max(1, Math.min(this.#maxCalls, calls));
    this.#calls = Math.min(this.#calls, this.#maxCalls);
  }

  /** The provider found a batch of so many calls too large. */
  halveBatches(calls: number): void {
    this.#calls = Math.max(1, Math.min(this.#calls, Math.floor(calls / 2)));
  }

  /** Runs a client's request at once. While it runs, only one background request may start. */
  async runClient<T>(send: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
    this.#clientRequests += 1;
    try {
      return await this.#observed(send, clock);
    } finally {
      this.#clientRequests -= 1;
      this.#startWaiting();
    }
  }

  /** Runs a background request when its turn comes and the provider's backoff is over. */
  async runBackground<T>(send: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push(start);
      this.#startWaiting();
    });
    try {
      const pause = this.#pausedUntil - clock.now();
      if (pause > 0) await clock.wait(pause);
      return await this.#observed(send, clock);
    } finally {
      this.#backgroundRequests -= 1;
      this.#startWaiting();
    }
  }

  #startWaiting(): void {
    const most = this.#clientRequests > 0 ? 1 : Math.floor(this.#concurrency);
    while (this.#backgroundRequests < most && this.#waiting.length > 0) {
      this.#backgroundRequests += 1;
      this.#waiting.shift()?.();
    }
  }

  async #observed<T>(send: () => Promise<T>, clock: Clock): Promise<T> {
    const started = clock.now();
    const refuseIf = (answer: unknown) => {
      if (answer instanceof Throttled) this.#refused(answer, started, clock.now());
      return answer instanceof Throttled;
    };
    try {
      const outcome = await send();
      if (![outcome].flat().some(refuseIf)) this.#answered();
      return outcome;
    } catch (error) {
      refuseIf(error);
      throw error;
    }
  }

  #answered(): void {
    this.#calls = Math.min(this.#maxCalls, this.#calls + 1);
    this.#concurrency = Math.min(MAX_CONCURRENCY, this.#concurrency + STEP);
    this.#backoffMs = FIRST_BACKOFF_MS;
  }

  #refused({ retryAfterMs }: Throttled, started: number, now: number): void {
    // A request that started before the last refusal does not count against the new limit.
    if (started < this.#refusedAt) return;
    this.#refusedAt = now;
    this.#concurrency = Math.max(1, this.#concurrency / 2);
    this.#pausedUntil = now + Math.min(retryAfterMs ?? this.#backoffMs, MAX_BACKOFF_MS);
    this.#backoffMs = Math.min(2 * this.#backoffMs, MAX_BACKOFF_MS);
  }
}
