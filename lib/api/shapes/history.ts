import * as z from 'zod/mini';
import type { Point } from '../../history/point.ts';
import { type PointValues, VALUES } from '../../history/point-values.ts';
import { snapRange } from '../../history/range.ts';
import { type PointBefore, readHistory } from '../../history/read-history.ts';
import { INTERVALS } from '../../history/series.ts';
import { secondsNow } from '../../runtime/context.ts';
import type { Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import { type Field, type Fields, fields, model, type Unit } from '../fields.ts';
import { csvFormat, JSON_FORMAT } from '../formats.ts';
import { nextCursor } from '../lists.ts';
import { rangeParams } from '../range-params.ts';
import { integer, unixTime } from '../units.ts';
import type { EndpointDocs, Named, NamingParams } from './endpoint-docs.ts';

interface History<Params extends NamingParams, Source, Shape extends z.core.$ZodShape, Own extends z.core.$ZodShape> {
  name: string;
  fields: Fields<Source, Shape>;
  source: (point: Point, named: Named<Params>, before: PointBefore) => Source;
  freshSeconds?: number;
  params?: Params;
  own?: Fields<Named<Params>, Own>;
  /** Time in seconds before the start of a page from which on `before` returns points. */
  lookBackSeconds?: number;
}

export function historyEndpoint<
  OwnPath extends Path,
  Source,
  Shape extends z.core.$ZodShape,
  Params extends NamingParams = Record<never, never>,
  Own extends z.core.$ZodShape = Record<never, never>,
>({ exampleRequest, notFound, ...texts }: EndpointDocs<OwnPath>, history: History<Params, Source, Shape, Own>) {
  const { own = fields<Named<Params>>()({}) as unknown as Fields<Named<Params>, Own> } = history;
  return defineEndpoint({
    ...texts,
    freshSeconds: history.freshSeconds ?? 60,
    reads: ['history'],
    input: z.object({ ...(history.params as NamingParams), ...rangeParams }),
    normalizeInput: (input, context) => snapRange(input, secondsNow(context)),
    response: () => historySchema(history.name, history.fields.shape(), own.shape()),
    formats: { json: JSON_FORMAT, csv: csvFormat('points') },
    exampleRequest,
    ...(notFound && { notFound }),
    async handle(input, context) {
      const named = input as Named<Params>;
      const about = own.body(named);
      const { lookBackSeconds = 0 } = history;
      const body = await readHistory(
        context,
        input,
        (point, before) => history.fields.body(history.source(point, named, before)),
        { lookBackSeconds },
      );
      return { ...about, ...body } as never;
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
