/** A guard against requests that never end. */
export const GUARD_MS = 60_000;
