import type { Clock } from '../../runtime/clock.ts';
import { chunked, packed } from '../../values/arrays.ts';
import { RpcTooLarge, Throttled, UpstreamFailure } from './failures.ts';
import { BatchRefused, type RpcCall, sendCalls } from './json-rpc.ts';

/** Maximum number of calls that api.avax.network takes in a batch (its documentation, 2026-11). */
const MAX_BATCH_CALLS = 40;
/** Nodes take 5 MB, anvil 2 MB, and nginx in front 1 MB; a 413 may be lost with the connection. */
const MAX_BATCH_BYTES = 900_000;

/** Factors by which a penalty grows if a provider fails again after it: 30 s, 1, 2, 5 minutes. */
const GROWTH = [1, 2, 4, 10];
const MAX_GROWN_MS = 300_000;

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

  /** Runs a client's request at once, a background request when its turn comes and the provider's backoff is over. */
  async run<T>(isBackground: boolean, send: () => Promise<T>): Promise<T> {
    if (isBackground)
      await new Promise<void>((start) => {
        this.#waiting.push(start);
        this.#startWaiting();
      });
    else this.#clientRequests += 1;
    try {
      if (isBackground && this.pauseMs > 0) await this.#clock.wait(this.pauseMs);
      const started = this.#clock.now();
      const outcome = await send().catch((error: unknown) => {
        if (error instanceof Throttled) this.#refused(error, started);
        throw error;
      });
      const refusal = [outcome].flat().find((answer) => answer instanceof Throttled);
      if (refusal) this.#refused(refusal, started);
      else {
        this.#concurrency = Math.min(MAX_CONCURRENCY, this.#concurrency + STEP);
        this.#backoffMs = FIRST_BACKOFF_MS;
      }
      return outcome;
    } finally {
      if (isBackground) this.#backgroundRequests -= 1;
      else this.#clientRequests -= 1;
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

  #refused({ retryAfterMs }: Throttled, started: number): void {
    // A request that started before the last refusal does not count against the new limit.
    if (started < this.#refusedAt) return;
    this.#refusedAt = this.#clock.now();
    this.#concurrency = Math.max(1, this.#concurrency / 2);
    this.#pausedUntil = this.#refusedAt + Math.min(retryAfterMs ?? this.#backoffMs, MAX_BACKOFF_MS);
    this.#backoffMs = Math.min(2 * this.#backoffMs, MAX_BACKOFF_MS);
  }
}

/**
 * One of several equivalent providers, and the limits that its answers have revealed. Logs, metrics and responses show
 * names, never URLs: a URL may hold a key.
 */
export class Provider {
  readonly name: string;
  readonly url: string;
  readonly rateLimit: RateLimit;
  readonly #clock: Clock;
  /** The failures in a row, the last attempt that failed, and the end of its penalty. */
  #penalty = { times: 0, attempt: 0, until: Number.NEGATIVE_INFINITY };
  /** Calls per batch now, and the most that the provider has not ruled out. */
  #calls = MAX_BATCH_CALLS;
  #maxCalls = MAX_BATCH_CALLS;

  constructor(name: string, url: string, clock: Clock) {
    this.name = name;
    this.url = url;
    this.#clock = clock;
    this.rateLimit = new RateLimit(clock);
  }

  /** True if the provider is to be asked last, because it has failed lately: whoever asks it in this process. */
  get isPenalised(): boolean {
    return this.#clock.now() < this.#penalty.until;
  }

  /** True if the provider has failed again after a penalty, without an answer in between. */
  get hasFailedAgain(): boolean {
    return this.#penalty.times > 1;
  }

  /** Ends the penalty, unless a later attempt has failed. */
  forgive(attempt: number): void {
    if (this.#penalty.attempt <= attempt) this.#penalty = { times: 0, attempt: 0, until: Number.NEGATIVE_INFINITY };
  }

  penalise(attempt: number, ms: number): void {
    if (ms === 0) return;
    const now = this.#clock.now();
    const times = this.#penalty.times + (this.isPenalised ? 0 : 1);
    const grownMs = Math.min(ms * (GROWTH[times - 1] ?? Number.POSITIVE_INFINITY), Math.max(ms, MAX_GROWN_MS));
    this.#penalty = { times, attempt, until: Math.max(this.#penalty.until, now + grownMs) };
  }

  /**
   * Sends the calls in JSON-RPC batches that the provider takes, or one by one if it refuses batches. Returns, in order,
   * each call's result or its {@link UpstreamFailure}. `isBackground`: clients' requests go first, and the rate limit is kept.
   */
  async send(calls: readonly RpcCall[], timeoutMs: number, isBackground = false): Promise<unknown[]> {
    // Approximate bytes: most are calldata.
    const sizeOf = ({ params }: RpcCall) => ((params as { 0?: { data?: string } })[0]?.data ?? '').length + 150;
    const batches = packed(calls, { items: this.#calls, size: MAX_BATCH_BYTES }, sizeOf);
    return (await Promise.all(batches.map((batch) => this.#sendPart(batch, timeoutMs, isBackground)))).flat();
  }

  /** The outcomes of calls that should fit one request. A refused batch is divided. */
  async #sendPart(calls: readonly RpcCall[], timeoutMs: number, isBackground: boolean): Promise<unknown[]> {
    try {
      const outcomes = await this.rateLimit.run(isBackground, () => sendCalls(this.url, calls, timeoutMs));
      this.#calls = Math.min(this.#maxCalls, this.#calls + 1);
      return outcomes;
    } catch (error) {
      if (error instanceof RpcTooLarge && calls.length > 1) {
        this.#calls = Math.max(1, Math.min(this.#calls, Math.floor(calls.length / 2)));
        const failure = new RpcTooLarge({ cause: error, mayDivide: true });
        return calls.map(() => failure);
      }
      if (error instanceof UpstreamFailure) return calls.map(() => error);
      if (!(error instanceof BatchRefused)) throw error;
      const most = Math.max(1, Math.min(error.limit ?? 1, calls.length - 1));
      const parts = chunked(calls, Math.min(most, this.#calls));
      const sent = parts.map((part) => this.#sendPart(part, timeoutMs, isBackground));
      const outcomes = (await Promise.all(sent)).flat();
      // If all fail, their failure was the reason, not the batch.
      const isReason = error.limit !== undefined || !outcomes.every((outcome) => outcome instanceof UpstreamFailure);
      this.#maxCalls = Math.min(this.#maxCalls, isReason ? most : MAX_BATCH_CALLS);
      this.#calls = Math.min(this.#calls, this.#maxCalls);
      return outcomes;
    }
  }
}
