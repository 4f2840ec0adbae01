/** Durations in seconds. */

export const HOUR = 3_600;
export const DAY = 86_400;
