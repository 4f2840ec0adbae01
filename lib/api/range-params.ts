import * as z from 'zod/mini';
import { DEFAULT_INTERVALS, MAX_POINTS } from '../history/range.ts';
import { INTERVALS } from '../history/series.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from './params.ts';

/** The parameters of all history endpoints. */
export const rangeParams = {
  interval: z._default(
    choiceParam(
      INTERVALS,
      'Interval between data points, which lie at the start of each UTC hour or day. Defaults to `1d`.',
      'Interval',
    ),
    '1d',
  ),
  from: z.optional(
    timeParam(
      `Start of the range, inclusive, as a Unix timestamp in seconds. Must not be after \`to\`. Defaults to ${DEFAULT_INTERVALS} intervals before \`to\`.`,
    ),
  ),
  to: z.optional(
    timeParam(
      'End of the range, inclusive, as a Unix timestamp in seconds. Defaults to the start of the current UTC hour or day.',
    ),
  ),
  limit: z.optional(
    integerParam(
      0,
      MAX_POINTS,
      `Maximum number of data points per page, counting missing ones; 0 returns none of them. Without \`limit\` or \`cursor\`, a range with more than ${MAX_POINTS} data points is rejected.`,
    ),
  ),
  cursor: z.optional(timeCursorParam()),
};
