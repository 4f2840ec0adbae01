/** How often the chain is asked for new blocks: each time is a request to somebody's provider. */

import { rest } from './run-history-recorder.ts';

const PACE = {
  /** While somebody asks: with the three seconds that `/activity` is fresh for, an event is there six seconds after its block. */
  askedMs: 2_500,
  /** While nobody does. */
  idleMs: 60_000,
  /** For so long after a request, more are expected. */
  attentionMs: 60_000,
};

export class Pace {
  readonly #pace: typeof PACE;
  #askedAt = Number.NEGATIVE_INFINITY;
  #wake = new AbortController();

  constructor(pace = PACE) {
    this.#pace = pace;
  }

  /** Somebody has sent a request: whoever waits because nobody did goes on. */
  asked(): void {
    this.#askedAt = performance.now();
    this.#wake.abort();
  }

  /** Waits until it is time to ask again. False if that was cut short. */
  async rest(signal: AbortSignal): Promise<boolean> {
    const { askedMs, idleMs, attentionMs } = this.#pace;
    if (performance.now() - this.#askedAt < attentionMs) return rest(askedMs, signal);
    this.#wake = new AbortController();
    await rest(idleMs, AbortSignal.any([signal, this.#wake.signal]));
    return !signal.aborted;
  }
}
