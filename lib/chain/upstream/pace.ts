/**
 * How fast a provider may be asked by somebody who has time. Providers do not say what they allow, so it is measured: more
 * and more requests at once while all are answered; from the first refusal on, as many a second as were answered, and a little more all
 * the time. What was refused is asked again.
 */

import { type Clock, systemClock } from '../../runtime/clock.ts';
import { Throttled } from './failover.ts';

/** Requests at once, at first and at most. */
const FIRST_AT_ONCE = 2;
const MOST_AT_ONCE = 16;
/** Refusals of the same request after which it fails. */
const MOST_REFUSALS = 10;
/** Of the rate that was answered, and of the one that was refused: what to go on with. */
const OF_ANSWERED = 0.97;
const AT_LEAST = 0.5;
/** A second. */
const LEAST_RATE = 0.5;
/** By how much the rate grows in a second, times the seconds since the last refusal. */
const GROWTH = 0.01;
const SECOND = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class Pace {
  readonly #clock: Clock;
  #atOnce = FIRST_AT_ONCE;
  #running = 0;
  #waiting = 0;
  /** Requests a second, once a limit has been met. */
  #rate = Number.POSITIVE_INFINITY;
  /** When the rate lets the next request start. */
  #next = 0;
  #slowedAt = 0;
  /** When requests of the last second were answered. */
  #answers: number[] = [];
  /** Requests start in the order in which they come. */
  #queue: Promise<void> = Promise.resolve();
  #onEnd: () => void = () => {};

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * About how long the next request would wait for its turn, ms. Each that has not ended counts as one more, so that among
   * providers that need no waiting the least busy one is first.
   */
  get waitMs(): number {
    const pause = Math.max(0, this.#next - this.#clock.now());
    return pause + (this.#waiting * SECOND) / this.#rate + this.#waiting + this.#running;
  }

  /**
   * The outcomes of `ask` for these questions. Those that are {@link Throttled} are asked again, later, up to ten times if
   * it `mayWait`. Throws what `ask` throws.
   */
  async run<Question>(
    questions: readonly Question[],
    ask: (questions: Question[]) => Promise<unknown[]>,
    mayWait = true,
  ): Promise<unknown[]> {
    const most = mayWait ? MOST_REFUSALS : 1;
    const outcomes: unknown[] = [];
    let left = [...questions.keys()];
    for (let attempt = 1; ; attempt++) {
      const started = await this.#start();
      const answers = await ask(left.map((place) => questions[place] as Question))
        .catch((error: unknown) => {
          if (error instanceof Throttled) return left.map(() => error);
          throw error;
        })
        .finally(() => this.#end());
      for (const [index, place] of left.entries()) outcomes[place] = answers[index];
      const refused = answers.find((answer) => answer instanceof Throttled) as Throttled | undefined;
      if (!refused) this.#speedUp();
      else this.#slowDown(started, refused);
      left = left.filter((place) => outcomes[place] instanceof Throttled);
      if (refused && attempt === most && left.length === questions.length) throw refused;
      if (!refused || attempt === most) return outcomes;
    }
  }

  /** Waits for the turn of a request. Resolves to the time at which it starts. */
  async #start(): Promise<number> {
    const before = this.#queue;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue = promise;
    this.#waiting += 1;
    await before;
    if (this.#running >= this.#atOnce) {
      await new Promise<void>((onEnd) => {
        this.#onEnd = onEnd;
      });
    }
    const pause = this.#next - this.#clock.now();
    if (pause > 0) await this.#clock.wait(pause);
    const now = this.#clock.now();
    const interval = SECOND / this.#rate;
    // A timer that was late is made up for by the next one.
    this.#next = Math.max(this.#next, now - interval) + interval;
    this.#waiting -= 1;
    this.#running += 1;
    resolve();
    return now;
  }

  #end(): void {
    this.#running -= 1;
    this.#onEnd();
  }

  #speedUp(): void {
    const now = this.#clock.now();
    this.#answers = [...this.#answers.filter((time) => time > now - SECOND), now];
    if (this.#rate === Number.POSITIVE_INFINITY) this.#atOnce = Math.min(this.#atOnce + 1, MOST_AT_ONCE);
    else this.#rate *= 1 + (GROWTH * (now - this.#slowedAt)) / SECOND / this.#rate;
  }

  #slowDown(started: number, { retryAfterMs = 0 }: Throttled): void {
    const now = this.#clock.now();
    if (retryAfterMs > 0) this.#next = Math.max(this.#next, now + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    // What was under way when the pace slowed down says nothing about the new one.
    if (started < this.#slowedAt) return;
    const answered = this.#answers.filter((time) => time > now - SECOND).length * OF_ANSWERED;
    const slower = this.#rate === Number.POSITIVE_INFINITY ? answered : clamp(answered, this.#rate);
    this.#rate = Math.max(LEAST_RATE, slower);
    this.#slowedAt = now;
  }
}

/** Few answers in the last second may also mean that little was asked. */
function clamp(answered: number, rate: number): number {
  return Math.min(Math.max(answered, rate * AT_LEAST), rate * OF_ANSWERED);
}
