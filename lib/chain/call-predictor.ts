import type { InnerCall } from './multicall.ts';

/** More would not fit the first batch. */
const MAX_CALLS = 250;
/** A call is forgotten when this many readings in a row have not made it. */
const FORGOTTEN_AFTER = 2;

/**
 * The calls that readings of one kind made in later batches because they depended on an answer: the bins around an
 * active one, the requests behind their ids. They rarely change, so the next reading prefetches them in its first
 * batch, and needs a second one only for new ones. Each container remembers for itself, and a dataset that is in the cache
 * table tells it to those that begin. An unneeded prefetch costs some gas and changes no answer.
 */
export class CallPredictor {
  readonly #calls = new Map<string, { call: InnerCall; reading: number }>();
  #reading = 0;

  /** What another container's last reading made later: only before the first one of this container. */
  learn(calls: readonly InnerCall[]): void {
    if (this.#reading === 0) for (const call of calls) this.note(call);
  }

  /** The calls that are known, for {@link learn}. */
  get calls(): InnerCall[] {
    return Array.from(this.#calls.values(), ({ call }) => call);
  }

  /** Begins a reading and returns the calls that it is likely to make later. */
  begin(): InnerCall[] {
    this.#reading += 1;
    for (const [key, { reading }] of this.#calls) {
      if (reading < this.#reading - FORGOTTEN_AFTER) this.#calls.delete(key);
    }
    return this.calls;
  }

  /** Notes that the current reading made this call after its first batch. */
  note(call: InnerCall): void {
    const key = keyOf(call);
    if (this.#calls.has(key) || this.#calls.size < MAX_CALLS) this.#calls.set(key, { call, reading: this.#reading });
  }
}

/** The identity of a call. */
export function keyOf({ to, data }: InnerCall): string {
  return `${to} ${data}`;
}
