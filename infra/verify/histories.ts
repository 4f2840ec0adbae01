/** Checks what a history says about its own completeness. */

import type { Answer } from './service.ts';

const SECONDS: Record<string, number> = { '1h': 3_600, '1d': 86_400 };

/** What is wrong with the range of an endpoint's answer: one that matches its schema, and has no further pages. */
export function historyFaults(path: string, { body }: Answer): string[] {
  // That of yields is derived from events: nothing in it can be missing.
  if (!path.endsWith('/history') || path === '/metrics/yield/history') return [];
  const { interval, from, to, points, missing, recordedFrom } = body;
  const seconds = SECONDS[interval] as number;
  const oldest = points[0]?.timestamp;
  if (oldest !== undefined && !(recordedFrom <= oldest))
    return [`recordedFrom: ${recordedFrom}, a point is of ${oldest}`];
  const first = Math.ceil(Math.max(from, recordedFrom ?? 0) / seconds);
  const expected = Math.max(0, Math.floor(to / seconds) - first + 1) - points.length;
  return missing === expected ? [] : [`missing: ${missing}, its points and range say ${expected}`];
}
