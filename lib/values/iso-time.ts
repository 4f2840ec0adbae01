/** Unix seconds in ISO 8601, in UTC. They throw RangeError for times beyond the calendar. */

/** `2026-11-25T00:00:00Z` */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** `2026-11-25` */
export function isoDay(seconds: number): string {
  return isoTime(seconds).slice(0, 10);
}
