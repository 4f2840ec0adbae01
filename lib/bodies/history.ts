import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import type { Point } from '../history/point.ts';
import { type RangeInput, rangeOf } from '../history/range.ts';
import { countBoundaries, INTERVALS } from '../history/series.ts';
import { historyOf } from '../history/store.ts';
import { integer, model, text, unixTime } from '../schemas.ts';

/** What all history endpoints return: the recorded data points of a range. */

/** The schema of a body whose data points have these fields; `name` names the schema of a data point. */
export function historySchema<Fields extends z.core.$ZodShape>(name: string, fields: Fields) {
  return z.object({
    interval: model('Interval', z.enum(INTERVALS)).check(z.describe('Interval between data points.')),
    from: unixTime('Start of the range, on all pages.'),
    to: unixTime('End of the range, on all pages.'),
    recordedFrom: z.optional(
      unixTime(
        'Time of the oldest data point recorded with this interval, in the range or not. It moves back if older ones are filled in. Omitted while none is recorded.',
      ),
    ),
    points: z
      .array(
        model(
          name,
          z.object({
            timestamp: unixTime('Time of the data point: the start of a UTC hour or day.'),
            block: integer('Last block at or before `timestamp`. The values are the state at this block.'),
            ...fields,
          }),
        ),
      )
      .check(z.describe('Recorded data points, oldest first. A recorded data point never changes.')),
    missing: integer(
      'Number of data points missing from the range, or from the part of it that this page covers. Future data points are not counted, nor are those before `recordedFrom`.',
    ),
    nextCursor: z.optional(
      text('Cursor for the next page, which skips what is older than `recordedFrom`. Omitted on the last page.'),
    ),
  });
}

/** The point recorded this many seconds before the current one. */
export type PointBefore = (seconds: number) => Point | undefined;

/**
 * The body for a range, with one entry per data point. `entryOf` may look at points up to `lookBackSeconds` older. `store` may be that
 * of another series, such as a validator's. Throws INVALID_REQUEST for a bad range and UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function readHistory<Entry>(
  context: Context,
  input: RangeInput,
  entryOf: (point: Point, before: PointBefore) => Entry,
  { lookBackSeconds = 0, store = historyOf(context) } = {},
) {
  const now = Math.floor(Date.now() / 1_000);
  const { interval, from, to, page, next } = rangeOf(input, now);
  const [recorded, oldest] = await Promise.all([
    store.points(interval, Math.max(0, page.from - lookBackSeconds), page.to),
    store.recordedFrom(interval),
  ]);
  const [first] = recorded;
  // An older point may have been recorded between the two queries.
  const recordedFrom = oldest === undefined ? first?.timestamp : Math.min(oldest, first?.timestamp ?? oldest);
  const byTime = new Map(recorded.map((point) => [point.timestamp, point]));
  const points = recorded
    .filter(({ timestamp }) => timestamp >= page.from)
    .map((point) => ({
      timestamp: point.timestamp,
      block: point.block.number,
      ...entryOf(point, (seconds) => byTime.get(point.timestamp - seconds)),
    }));
  const missing = countBoundaries(interval, Math.max(page.from, recordedFrom ?? 0), page.to) - points.length;
  // Nothing is older than that: a client that begins at 0 need not ask for empty pages until then.
  const following = next && Math.max(next, recordedFrom ?? 0);
  const nextCursor = following && following <= Math.min(to, now) ? String(following) : undefined;
  return { interval, from, to, recordedFrom, points, missing, nextCursor };
}
