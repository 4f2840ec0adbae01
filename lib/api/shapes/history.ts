import * as z from 'zod/mini';
import type { Point } from '../../history/point.ts';
import { type PointValues, VALUES } from '../../history/point-values.ts';
import { DEFAULT_INTERVALS, MAX_POINTS, snapRange } from '../../history/range.ts';
import { type PointBefore, readHistory } from '../../history/read-history.ts';
import { INTERVALS } from '../../history/series.ts';
import { secondsNow } from '../../runtime/context.ts';
import type { EndpointDocs, Named, NamingParams, Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import { type Field, model, type Unit } from '../fields.ts';
import { csvFormat, JSON_FORMAT } from '../formats.ts';
import { nextCursor } from '../lists.ts';
import { choiceParam, integerParam, timeCursorParam, timeParam } from '../params.ts';
import { integer, unixTime } from '../units.ts';

const rangeParams = {
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

interface History<
  OwnPath extends Path,
  Params extends NamingParams,
  Source,
  Shape extends z.core.$ZodShape,
  Own extends z.core.$ZodShape,
> extends EndpointDocs<OwnPath> {
  name: string;
  fields: Unit<Source, z.ZodMiniObject<Shape>>;
  source: (point: Point, named: Named<Params>, before: PointBefore) => Source;
  params?: Params;
  own?: Unit<Named<Params>, z.ZodMiniObject<Own>>;
  /** Time in seconds before the start of a page from which on `before` returns points. */
  lookBackSeconds?: number;
}

export function historyEndpoint<
  OwnPath extends Path,
  Source,
  Shape extends z.core.$ZodShape,
  Params extends NamingParams = Record<never, never>,
  Own extends z.core.$ZodShape = Record<never, never>,
>({ name, fields, source, params, own, lookBackSeconds = 0, ...docs }: History<OwnPath, Params, Source, Shape, Own>) {
  return defineEndpoint({
    ...docs,
    freshSeconds: 60,
    reads: ['history'],
    input: z.object({ ...(params as NamingParams), ...rangeParams }),
    normalizeInput: (input, context) => snapRange(input, secondsNow(context)),
    response: () => historySchema(name, fields.schema().shape, own?.schema().shape as Own),
    formats: { json: JSON_FORMAT, csv: csvFormat('points') },
    async handle(input, context) {
      const named = input as Named<Params>;
      const about = own?.json(named);
      const toPoint = (point: Point, before: PointBefore) => fields.json(source(point, named, before));
      return { ...about, ...(await readHistory(context, input, toPoint, { lookBackSeconds })) } as never;
    },
  });
}

export function recorded<Schema extends z.ZodMiniType>(
  unit: Unit<bigint, Schema>,
  name: keyof typeof VALUES,
): Field<PointValues, z.ZodMiniOptional<Schema>> {
  return unit.optional(VALUES[name].meaning, (values: PointValues) => values[name]);
}

/** The schema of a body with the fields `own`. Data points have the fields `shape`; `name` names their schema. */
function historySchema<Shape extends z.core.$ZodShape, Own extends z.core.$ZodShape>(
  name: string,
  shape: Shape,
  own: Own,
) {
  return z.object({
    interval: model('Interval', z.enum(INTERVALS)).check(z.describe('Interval between data points.')),
    from: unixTime.schema('Start of the range, on all pages.'),
    to: unixTime.schema('End of the range, on all pages.'),
    recordedFrom: z.optional(
      unixTime.schema(
        'Oldest data point recorded with this interval, in the range or not. Moves back while history loads. Omitted if none is recorded.',
      ),
    ),
    points: z
      .array(
        model(
          name,
          z.object({
            timestamp: unixTime.schema('Start of a UTC hour or day.'),
            blockNumber: integer.schema('Last block at or before `timestamp`. The values are its state.'),
            ...shape,
          }),
        ),
      )
      .check(z.describe('Recorded data points, oldest first. They never change.')),
    missing: integer.schema(
      "Number of data points missing from the range, or from this page's part of it. Excludes future ones and those before `recordedFrom`.",
    ),
    nextCursor: nextCursor(' The next page skips what is older than `recordedFrom`.'),
    ...own,
  });
}
