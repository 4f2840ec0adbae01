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

/** Whether a time that was set for at most so long is still ahead. If the clock went back since, it is not. */
export function isPending(until: number, longestMs: number, now: number): boolean {
  return now < until && until <= now + longestMs;
}

/** A duration in seconds or milliseconds as it is reported: rounded to a tenth. */
export function toTenths(duration: number): number {
  return Math.round(duration * 10) / 10;
}
