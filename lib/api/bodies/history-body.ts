import * as z from 'zod/mini';
import { INTERVALS } from '../../history/series.ts';
import { nextCursor } from '../lists.ts';
import { integer, model, unixTime } from '../schemas.ts';

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
    nextCursor: nextCursor(' The next page skips what is older than `recordedFrom`.'),
  });
}
