import type { InnerCall } from './multicall.ts';

/** More would not fit the first batch. */
const MAX_CALLS = 250;
/** A call is forgotten when this many readings in a row have not made it. */
const FORGOTTEN_AFTER = 2;

/**
 * The calls that readings of one kind made in later batches because they depended on an answer: the bins around an
 * active one, the requests behind their ids. They rarely change, so the next reading prefetches them in its first
 * batch, and needs a second one only for new ones. Each container remembers for itself; an unneeded prefetch costs some
 * gas and changes no answer.
 */
export class CallPredictor {
  readonly #calls = new Map<string, { call: InnerCall; reading: number }>();
  #reading = 0;

  /** Begins a reading and returns the calls that it is likely to make later. */
  begin(): InnerCall[] {
    this.#reading += 1;
    for (const [key, { reading }] of this.#calls) {
      if (reading < this.#reading - FORGOTTEN_AFTER) this.#calls.delete(key);
    }
    return Array.from(this.#calls.values(), ({ call }) => call);
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
