/** Checks the fields of histories and lists about their completeness. */

import type { Answer, Json } from './service.ts';

const SECONDS: Record<string, number> = { '1h': 3_600, '1d': 86_400 };

/** Faults of the range of an endpoint's answer. The answer has to match its schema, and to be not paginated. */
export function historyFaults(path: string, { body }: Answer): string[] {
  if (!path.endsWith('/history')) return [];
  const { interval, from, to, points, missing, recordedFrom } = body;
  const seconds = SECONDS[interval] as number;
  const times: [string, number | undefined][] = [
    ...Object.entries({ from, to, recordedFrom }),
    ...points.map(({ timestamp }: Json, index: number) => [`points[${index}].timestamp`, timestamp]),
  ];
  const between = times.find(([, time]) => time !== undefined && time % seconds !== 0);
  if (between) return [`${between[0]}: ${between[1]} is no start of ${interval}`];
  const oldest = points[0]?.timestamp;
  if (oldest !== undefined && !(recordedFrom <= oldest))
    return [`recordedFrom: ${recordedFrom}, a point is of ${oldest}`];
  const first = Math.ceil(Math.max(from, recordedFrom ?? 0) / seconds);
  const expected = Math.max(0, Math.floor(to / seconds) - first + 1) - points.length;
  return missing === expected ? [] : [`missing: ${missing}, its points and range say ${expected}`];
}

/** Faults of the number of entries of a list. */
export function listFaults({ body }: Answer): string[] {
  const { total, nextCursor } = body ?? {};
  const { length } = Object.values<Json>(body ?? {}).find(Array.isArray) ?? [];
  const isWrong = total !== undefined && (nextCursor === undefined ? total !== length : total <= length);
  return isWrong
    ? [`total: ${total}, there are ${length} entries on ${nextCursor ? 'the first' : 'the only'} page`]
    : [];
}
