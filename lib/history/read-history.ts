import { secondsNow } from '../runtime/context.ts';
import type { HistoryContext } from './history-store.ts';
import type { Point } from './point.ts';
import { type RangeInput, toRange } from './range.ts';
import { countBoundaries, type Interval } from './series.ts';

/** The point recorded this many seconds before the current one. */
export type PointBefore = (seconds: number) => Point | undefined;

export interface HistoryPage<Values> {
  interval: Interval;
  from: number;
  to: number;
  recordedFrom: number | undefined;
  points: readonly Values[];
  missing: number;
  nextCursor: string | undefined;
}

/**
 * The data points of a range. `valuesOf` may look at points up to `lookBackSeconds` older. Throws INVALID_REQUEST for a bad range and
 * UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function readHistory<Values extends object>(
  context: HistoryContext,
  input: RangeInput,
  valuesOf: (point: Point, before: PointBefore) => Values,
  { lookBackSeconds = 0 } = {},
): Promise<HistoryPage<Point & Values>> {
  const now = secondsNow(context);
  const { interval, from, to, page, next } = toRange(input, now);
  const [recorded, oldest] = await Promise.all([
    context.history.points(interval, Math.max(0, page.from - lookBackSeconds), page.to),
    context.history.recordedFrom(interval),
  ]);
  const [first] = recorded;
  // An older point may have been recorded between the two queries.
  const recordedFrom = oldest === undefined ? first?.timestamp : Math.min(oldest, first?.timestamp ?? oldest);
  const byTime = new Map(recorded.map((point) => [point.timestamp, point]));
  const points = recorded
    .filter(({ timestamp }) => timestamp >= page.from)
    .map((point) => ({ ...point, ...valuesOf(point, (seconds) => byTime.get(point.timestamp - seconds)) }));
  const missing = countBoundaries(interval, Math.max(page.from, recordedFrom ?? 0), page.to) - points.length;
  // Nothing is older than that: a client that begins at 0 need not ask for empty pages until then.
  const following = next && Math.max(next, recordedFrom ?? 0);
  const nextCursor = following && following <= Math.min(to, now) ? String(following) : undefined;
  return { interval, from, to, recordedFrom, points, missing, nextCursor };
}
