import { setTimeout } from 'node:timers/promises';

/** The time, for whatever compares it or waits for it. Tests bring their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Ends after `ms`, or rejects when `signal` is aborted before. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
};

/**
 * Milliseconds of a clock that is never set back, for durations. By Node's oldest: `performance` is eight modules that a cold start
 * would load, for a millisecond.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** As durations are told, in seconds or milliseconds: to a tenth. */
export function toTenths(duration: number): number {
  return Math.round(duration * 10) / 10;
}
