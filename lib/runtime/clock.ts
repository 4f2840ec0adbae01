import { setTimeout } from 'node:timers/promises';

export interface Clock {
  /** Unix milliseconds of a clock that is never set back: for durations, ages and what is remembered. */
  now(): number;
  /** Unix milliseconds as this machine has them: may be wrong, and set back. To compare with times of others. */
  unix(): number;
  /** Resolves after `ms`, or rejects if `signal` is aborted first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

let lead = Number.NEGATIVE_INFINITY;

export const systemClock: Clock = {
  // While Lambda freezes a process, the monotonic clock may stand still: the one that is ahead counts.
  now() {
    const monotonic = performance.now();
    lead = Math.max(lead, Date.now() - monotonic);
    return Math.floor(monotonic + lead);
  },
  unix: () => Date.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
};

/** True if `until`, set at most `longestMs` ahead, is still ahead. False if it was set by a clock that was ahead. */
export function isPending(until: number, longestMs: number, now: number): boolean {
  return now < until && until <= now + longestMs;
}

/** A duration in seconds or milliseconds, rounded to a tenth for reports. */
export function toTenths(duration: number): number {
  return Math.round(duration * 10) / 10;
}
