import { setTimeout } from 'node:timers/promises';

/** Time and waiting, replaceable in tests. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or rejects if `signal` is aborted first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
};

/** A duration in seconds or milliseconds as it is reported: rounded to a tenth. */
export function toTenths(duration: number): number {
  return Math.round(duration * 10) / 10;
}
