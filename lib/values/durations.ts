/** Durations and times in seconds. */

export const HOUR = 3_600;
export const DAY = 86_400;

/** The last Unix timestamp of ten digits, in the year 2286: later than all that is recorded or asked for. */
export const END_OF_TIME = 9_999_999_999;
