import type { Clock } from '../../runtime/clock.ts';
import { Throttled } from './failures.ts';

const FIRST_CONCURRENCY = 2;
const MAX_CONCURRENCY = 16;
/** Uses 75 to 100 % of a rate limit of 5 to 50 requests a second (rate-limit.test.ts). One per round trip quadruples refusals. */
const STEP = 0.1;
/** Backoff after a refusal that names no time; doubled by each further one in a row. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 60_000;

/**
 * The rate limit of a provider, as far as its answers reveal it: the concurrency of background requests is halved on a
 * refusal and grows by one step per success. Clients' requests start at once.
 */
export class RateLimit {
  readonly #clock: Clock;
  #concurrency = FIRST_CONCURRENCY;
  #clientRequests = 0;
  #backgroundRequests = 0;
  readonly #waiting: (() => void)[] = [];
  #backoffMs = FIRST_BACKOFF_MS;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get queued(): number {
    return this.#waiting.length + this.#backgroundRequests;
  }

  /** Time in ms until the next background request may start. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.now());
  }

  /** Runs a client's request at once. While it runs, only one background request may start. */
  async runClient<T>(send: () => Promise<T>): Promise<T> {
    this.#clientRequests += 1;
    try {
      return await this.#observed(send);
    } finally {
      this.#clientRequests -= 1;
      this.#startWaiting();
    }
  }

  /** Runs a background request when its turn comes and the provider's backoff is over. */
  async runBackground<T>(send: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push(start);
      this.#startWaiting();
    });
    try {
      if (this.pauseMs > 0) await this.#clock.wait(this.pauseMs);
      return await this.#observed(send);
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

  async #observed<T>(send: () => Promise<T>): Promise<T> {
    const started = this.#clock.now();
    const outcome = await send().catch((error: unknown) => {
      if (error instanceof Throttled) this.#refused(error, started);
      throw error;
    });
    const refusal = [outcome].flat().find((answer) => answer instanceof Throttled);
    if (refusal) this.#refused(refusal, started);
    else this.#answered();
    return outcome;
  }

  #answered(): void {
    this.#concurrency = Math.min(MAX_CONCURRENCY, this.#concurrency + STEP);
    this.#backoffMs = FIRST_BACKOFF_MS;
  }

  #refused({ retryAfterMs }: Throttled, started: number): void {
    // A request that started before the last refusal does not count against the new limit.
    if (started < this.#refusedAt) return;
    this.#refusedAt = this.#clock.now();
    this.#concurrency = Math.max(1, this.#concurrency / 2);
    this.#pausedUntil = this.#refusedAt + Math.min(retryAfterMs ?? this.#backoffMs, MAX_BACKOFF_MS);
    this.#backoffMs = Math.min(2 * this.#backoffMs, MAX_BACKOFF_MS);
  }
}
