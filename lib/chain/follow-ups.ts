import type { InnerCall } from './multicall.ts';

/** A call, and how much gas to reserve for it. */
export interface Call extends InnerCall {
  gas: number;
}

/** More would not fit the first batch. */
const MAX_CALLS = 250;
/** Calls that so many readings have not made are not asked along any more. */
const FORGOTTEN_AFTER = 2;

/**
 * What readings of one kind asked for in later batches, because it depended on an answer: the bins beside an active one, the
 * requests behind their ids. That changes rarely, so the next reading asks for it along with its first batch, and needs a second one
 * only for what is new. Each container remembers for itself; what is remembered in vain costs some gas, and changes no answer.
 */
export class FollowUps {
  readonly #calls = new Map<string, { call: Call; reading: number }>();
  #reading = 0;

  /** A new reading begins: the calls that it is likely to make later. */
  begin(): Call[] {
    this.#reading += 1;
    for (const [key, { reading }] of this.#calls) {
      if (reading < this.#reading - FORGOTTEN_AFTER) this.#calls.delete(key);
    }
    return Array.from(this.#calls.values(), ({ call }) => call);
  }

  /** A reading has made this call after its first batch. */
  note(call: Call): void {
    const key = keyOf(call);
    if (this.#calls.has(key) || this.#calls.size < MAX_CALLS) this.#calls.set(key, { call, reading: this.#reading });
  }
}

/** What makes two calls the same. */
export function keyOf({ to, data }: InnerCall): string {
  return `${to} ${data}`;
}
