/** Unix seconds in ISO 8601, in UTC. The functions throw RangeError for times that are long beyond {@link LAST_TIME}. */

/** The last second of the year 9999, for calendars, spreadsheets and SQL. Contracts store the largest integer for "never". */
export const LAST_TIME = 253_402_300_799;

/** `2026-11-25T00:00:00Z` */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** `2026-11-25` */
export function isoDay(seconds: number): string {
  return isoTime(seconds).slice(0, 10);
}

/** `31 Dec 2026`. Later than {@link LAST_TIME} is `never`. */
export function dayText(seconds: number): string {
  if (seconds > LAST_TIME) return 'never';
  return new Date(seconds * 1_000).toUTCString().slice(5, 16).replace(/^0/, '');
}
