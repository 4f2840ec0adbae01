import * as z from 'zod/mini';
import type { Point } from '../history/point.ts';
import type { PointValues } from '../history/point-values.ts';
import { VALUES } from '../history/point-values.ts';
import { DEFAULT_INTERVALS, MAX_POINTS, type RangeInput, snapRange } from '../history/range.ts';
import type { HistoryPage } from '../history/read-history.ts';
import { boundaryBefore, INTERVALS } from '../history/series.ts';
import { type Context, secondsNow } from '../runtime/context.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { choice, type Field, list, object, type Unit } from './fields.ts';
import { nextCursor } from './lists.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from './params.ts';
import { integer, unixTime } from './units.ts';

export const historyEndpoint = {
  freshSeconds: 60,
  reads: ['history'],
  rows: 'points',
  validUntil: ({ to, interval }: RangeInput) => ifKnown((time: number) => boundaryBefore(time, interval), to),
  normalizeInput: <Input extends RangeInput>(input: Input, context: Context) => snapRange(input, secondsNow(context)),
} as const;

export const rangeParams = {
  interval: z._default(choiceParam(INTERVALS, 'Interval between data points.', 'Interval'), '1d'),
  from: z.optional(timeParam(`Start of the range, inclusive. Default: ${DEFAULT_INTERVALS} intervals before \`to\`.`)),
  to: z.optional(timeParam('End of the range, inclusive. Defaults to the start of the current UTC hour or day.')),
  limit: z.optional(
    integerParam(
      0,
      MAX_POINTS,
      `Maximum number of data points per page, including missing ones; 0 for none. A range of more than ${MAX_POINTS} data points requires \`limit\` or \`cursor\`.`,
    ),
  ),
  cursor: z.optional(timeCursorParam()),
};

export const pointFields = {
  timestamp: unixTime('Start of a UTC hour or day.'),
  blockNumber: integer(
    'Last block up to `timestamp`, with the state of all values.',
    ({ block }: Point) => block.number,
  ),
};

export function recorded<Schema extends z.ZodMiniType>(
  unit: Unit<bigint, Schema>,
  name: keyof typeof VALUES,
): Field<PointValues, z.ZodMiniOptional<Schema>> {
  return unit.optional(VALUES[name].meaning, (values: PointValues) => values[name]);
}

export function historyBody<Point, Schema extends z.ZodMiniType>(point: Unit<Point, Schema>) {
  return object<HistoryPage<Point>>()({
    interval: choice('Interval', INTERVALS)('Interval between data points.'),
    from: unixTime('Start of the range, on all pages.'),
    to: unixTime('End of the range, on all pages.'),
    recordedFrom: unixTime.optional(
      'Oldest data point recorded with this interval, in the range or not. Moves back while history loads. Omitted if none is recorded.',
    ),
    points: list(point)('Recorded points, oldest first. They never change.', (page: HistoryPage<Point>) => page.points),
    missing: integer(
      "Number of data points missing from the range, or from this page's part of it. Excludes future ones and those before `recordedFrom`.",
    ),
    nextCursor: nextCursor(' The next page skips what is older than `recordedFrom`.'),
  });
}
