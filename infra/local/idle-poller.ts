/** Interval of the requests for new blocks. Each one is a request to somebody's provider. */

import { rest } from './run-history-recorder.ts';

const PACE = {
  /**
   * While clients send requests. `/activity` is fresh for three seconds, so an event is there six seconds after its block.
   */
  askedMs: 2_500,
  /** While no client sends requests. */
  idleMs: 60_000,
  /** Time after a request during which more requests are expected. */
  attentionMs: 60_000,
};

export class IdlePoller {
  readonly #pace: typeof PACE;
  #askedAt = Number.NEGATIVE_INFINITY;
  #wake = new AbortController();

  constructor(pace = PACE) {
    this.#pace = pace;
  }

  /** To be called for each request: ends an idle wait. */
  asked(): void {
    this.#askedAt = performance.now();
    this.#wake.abort();
  }

  /** Waits until the next request for new blocks is due. False if `signal` aborted the wait. */
  async rest(signal: AbortSignal): Promise<boolean> {
    const { askedMs, idleMs, attentionMs } = this.#pace;
    if (performance.now() - this.#askedAt < attentionMs) return rest(askedMs, signal);
    this.#wake = new AbortController();
    await rest(idleMs, AbortSignal.any([signal, this.#wake.signal]));
    return !signal.aborted;
  }
}
