import * as z from 'zod/mini';
import { DEFAULT_INTERVALS, MAX_POINTS } from '../history/range.ts';
import { INTERVALS } from '../history/series.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from './params.ts';

export const rangeParams = {
  interval: z._default(
    choiceParam(
      INTERVALS,
      'Interval between data points, at the start of each UTC hour or day. Defaults to `1d`.',
      'Interval',
    ),
    '1d',
  ),
  from: z.optional(
    timeParam(
      `Start of the range, inclusive, in Unix seconds. Must not be after \`to\`. Defaults to ${DEFAULT_INTERVALS} intervals before \`to\`.`,
    ),
  ),
  to: z.optional(
    timeParam('End of the range, inclusive, in Unix seconds. Defaults to the start of the current UTC hour or day.'),
  ),
  limit: z.optional(
    integerParam(
      0,
      MAX_POINTS,
      `Maximum number of data points per page, including missing ones; 0 for none. A range of more than ${MAX_POINTS} data points requires \`limit\` or \`cursor\`.`,
    ),
  ),
  cursor: z.optional(timeCursorParam()),
};
