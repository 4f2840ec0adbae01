/** The recorded series: a point at every UTC hour and one at every UTC day. A day boundary is an hour boundary, too. */

export const INTERVALS = ['1h', '1d'] as const;

export type Interval = (typeof INTERVALS)[number];

export const INTERVAL_SECONDS: Record<Interval, number> = { '1h': 3_600, '1d': 86_400 };

/** The last boundary at or before `time` (unix seconds). */
export function boundaryBefore(time: number, interval: Interval): number {
  const seconds = INTERVAL_SECONDS[interval];
  return Math.floor(time / seconds) * seconds;
}

/** The first boundary at or after `time` (unix seconds). */
export function boundaryFrom(time: number, interval: Interval): number {
  const seconds = INTERVAL_SECONDS[interval];
  return Math.ceil(time / seconds) * seconds;
}

/** Number of boundaries from `from` to `to`, both included if they are boundaries. */
export function countBoundaries(interval: Interval, from: number, to: number): number {
  const seconds = INTERVAL_SECONDS[interval];
  return Math.max(0, Math.floor(to / seconds) - Math.ceil(from / seconds) + 1);
}

export function listBoundaries(interval: Interval, from: number, to: number): number[] {
  const seconds = INTERVAL_SECONDS[interval];
  const first = boundaryFrom(from, interval);
  return Array.from({ length: countBoundaries(interval, from, to) }, (_, index) => first + index * seconds);
}
