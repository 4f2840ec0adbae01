import * as z from 'zod/mini';
import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, fields, list, model, partialShape, unit } from '../../lib/api/fields.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/api/formats.ts';
import { timesParam } from '../../lib/api/list-params.ts';
import { integer, unixTime } from '../../lib/api/units.ts';
import type { Dataset } from '../../lib/cache/dataset.ts';
import { type HistoryContext, openHistory } from '../../lib/history/history-store.ts';
import type { Point } from '../../lib/history/point.ts';
import type { PointValues } from '../../lib/history/point-values.ts';
import { boundaryBefore, INTERVALS, type Interval } from '../../lib/history/series.ts';
import { secondsNow } from '../../lib/runtime/context.ts';
import { DAY } from '../../lib/values/durations.ts';

const MAX_TIMES = 100;
const MAX_AGE_SECONDS = 2 * DAY;

interface PriceAt extends PointValues {
  asked: number;
  point: RecordedPrices | undefined;
}

const AT = fields<PriceAt>()({
  asked: unixTime('Requested time.', ({ asked }) => asked),
  timestamp: unixTime.optional('Time of the prices: the start of a UTC hour or day.', ({ point }) => point?.timestamp),
  interval: choice('Interval', INTERVALS).optional('Interval of the data point.', ({ point }) => point?.interval),
  blockNumber: integer.optional(
    'Block of the prices: the last one at or before `timestamp`.',
    ({ point }) => point?.block.number,
  ),
  ...PRICE_HISTORY.declared,
});

/** Fields of an entry without prices. */
const WITHOUT = { partial: ['prices'], reasons: { prices: 'NOT_RECORDED' as const } };

const PRICE = unit(
  () => model('PriceAt', z.object({ ...AT.shape(), ...partialShape('PriceAtField', WITHOUT.partial) })),
  (source: PriceAt) => ({ ...AT.body(source), ...(!source.point && WITHOUT) }),
);

export const pricesAt = defineEndpoint({
  path: '/prices/at',
  tag: 'Prices',
  summary: 'Prices at given times',
  description:
    'Recorded prices, as in `/prices/history`, at up to 100 times. Each is of the last recorded hour or day up to that time. If that is more than two days older, prices are omitted.',
  freshSeconds: 300,
  reads: { history: openHistory },
  input: z.object({
    timestamp: z.optional(timesParam(MAX_TIMES, 'Times. Defaults to the start of the current UTC hour.')),
  }),
  // Sorted, so that the order of the request does not change the answer.
  normalizeInput: ({ timestamp }, context) => ({
    timestamp: (timestamp ?? [toHour(secondsNow(context))]).toSorted((a, b) => a - b),
  }),
  response: () =>
    z.object({
      prices: list(PRICE).schema('One entry per time, oldest first.'),
    }),
  formats: { json: JSON_FORMAT, csv: csvFormat('prices') },
  exampleRequest: '/prices/at',
  unpaged: 'as many entries as times were asked for',
  async handle({ timestamp: times = [] }, context) {
    const days = [...new Set(times.map(toDay))];
    const points = new Map(
      await Promise.all(days.map(async (day) => [day, await context.dataset(recordedDay(day))] as const)),
    );
    const prices = times.map((asked) => {
      const point = nearest(points.get(toDay(asked)) ?? [], asked);
      return PRICE.json({ ...point?.values, asked, point });
    });
    return { prices };
  },
});

/** Start of a time's hour: data points lie there. */
const toHour = (time: number) => boundaryBefore(time, '1h');
const toDay = (time: number) => boundaryBefore(time, '1d');

type RecordedPrices = Pick<Point, 'timestamp' | 'block' | 'values'> & { interval: Interval };

/** The data points that a time of a UTC day may have, oldest first. Each container reads a day once in five minutes. */
const recordedDay = (day: number): Dataset<RecordedPrices[], HistoryContext> => ({
  name: `recordedDay/${day}`,
  freshSeconds: 300,
  async read(context) {
    const store = context.history;
    const [oldest, end] = [Math.max(0, day - MAX_AGE_SECONDS), day + DAY - 1];
    const [hours, newestDay] = await Promise.all([store.points('1h', day, end), store.newest('1d', oldest, end)]);
    const isCovered = hours[0]?.timestamp === day || newestDay?.timestamp === day;
    const hourBefore = isCovered ? undefined : await store.newest('1h', oldest, day - 1);
    const inHours = [hourBefore, ...hours].flatMap((point) => (point ? [{ ...point, interval: '1h' as const }] : []));
    // At the same time, the hour counts.
    return [...(newestDay ? [{ ...newestDay, interval: '1d' as const }] : []), ...inHours].toSorted(
      (a, b) => a.timestamp - b.timestamp,
    );
  },
});

/** The newest data point that is not after a time, unless it is too old. */
function nearest(points: readonly RecordedPrices[], time: number): RecordedPrices | undefined {
  const point = points.findLast(({ timestamp }) => timestamp <= time);
  return point && point.timestamp >= toHour(time) - MAX_AGE_SECONDS ? point : undefined;
}

export const handler = /* @__PURE__ */ createHandler(pricesAt);
