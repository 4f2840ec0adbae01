import { setTimeout } from 'node:timers/promises';

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

/** True if `until`, set at most `longestMs` ahead, is still ahead. False if the clock went back since. */
export function isPending(until: number, longestMs: number, now: number): boolean {
  return now < until && until <= now + longestMs;
}

/** A duration in seconds or milliseconds, rounded to a tenth for reports. */
export function toTenths(duration: number): number {
  return Math.round(duration * 10) / 10;
}
