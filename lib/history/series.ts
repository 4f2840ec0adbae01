/** The recorded series: a point at every UTC hour and one at every UTC day. A day boundary is an hour boundary, too. */

export const INTERVALS = ['1h', '1d'] as const;

export type Interval = (typeof INTERVALS)[number];

export const INTERVAL_SECONDS: Record<Interval, number> = { '1h': 3_600, '1d': 86_400 };

/** The last boundary at or before `time` (unix seconds). */
export function boundaryBefore(time: number, interval: Interval): number {
  const seconds = INTERVAL_SECONDS[interval];
  return Math.floor(time / seconds) * seconds;
}

/** The boundaries from `from` to `to`, both included where they are boundaries; the oldest first. */
export function boundariesOf(interval: Interval, from: number, to: number): number[] {
  const seconds = INTERVAL_SECONDS[interval];
  const first = Math.ceil(from / seconds) * seconds;
  const count = Math.max(0, Math.floor((to - first) / seconds) + 1);
  return Array.from({ length: count }, (_, index) => first + index * seconds);
}
