import * as z from 'zod/mini';
import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, list, model, object, partialShape, unit } from '../../lib/api/fields.ts';
import { timesParam } from '../../lib/api/params.ts';
import { integer, unixTime } from '../../lib/api/units.ts';
import type { HistoryStore } from '../../lib/history/history-store.ts';
import type { Point } from '../../lib/history/point.ts';
import type { PointValues } from '../../lib/history/point-values.ts';
import { boundaryBefore, INTERVALS, type Interval } from '../../lib/history/series.ts';
import { secondsNow } from '../../lib/runtime/context.ts';
import { DAY } from '../../lib/values/durations.ts';

const MAX_TIMES = 100;
const MAX_AGE_SECONDS = 2 * DAY;
/** Times before that are answered by days: one query then serves all times of a day. */
const HOURS_SECONDS = 7 * DAY;

interface PriceAt extends PointValues {
  asked: number;
  point: RecordedPrices | undefined;
}

const AT = object<PriceAt>()({
  asked: unixTime('Requested time.'),
  timestamp: unixTime.optional('Time of the prices: the start of a UTC hour or day.', ({ point }) => point?.timestamp),
  interval: choice('Interval', INTERVALS).optional('Interval of the data point.', ({ point }) => point?.interval),
  blockNumber: integer.optional('Last block at or before `timestamp`.', ({ point }) => point?.block.number),
  ...PRICE_HISTORY.fields,
});

const WITHOUT = { partial: ['prices'], reasons: { prices: 'NOT_RECORDED' as const } };

const PRICE = unit(
  () => model('PriceAt', z.object({ ...AT.schema().shape, ...partialShape('PriceAtField', WITHOUT.partial) })),
  (source: PriceAt) => ({ ...AT.json(source), ...(!source.point && WITHOUT) }),
);

const PRICES_AT = object<{ prices: PriceAt[] }>()({ prices: list(PRICE)('One entry per time, oldest first.') });

export const pricesAt = defineEndpoint({
  path: '/prices/at',
  tag: 'Prices',
  summary: 'Prices at given times',
  description:
    'Recorded prices, as in `/prices/history`, at up to 100 times. Each is of the last recorded hour up to that time; of the last recorded day if the time is more than a week ago. If that is more than two days older, prices are omitted.',
  freshSeconds: 300,
  reads: ['history'],
  params: {
    timestamp: z.optional(timesParam(MAX_TIMES, 'Times. Defaults to the start of the current UTC hour.')),
  },
  // Sorted, so that the order of the request does not change the answer.
  normalizeInput: ({ timestamp }, context) => ({
    timestamp: (timestamp ?? [toHour(secondsNow(context))]).toSorted((a, b) => a - b),
  }),
  body: PRICES_AT,
  rows: 'prices',
  exampleRequest: '/prices/at',
  async handle({ timestamp: times = [] }, context) {
    const hoursFrom = secondsNow(context) - HOURS_SECONDS;
    const boundaryOf = (time: number) => (toHour(time) < hoursFrom ? boundaryBefore(time, '1d') : toHour(time));
    const boundaries = [...new Set(times.map(boundaryOf))];
    const read = boundaries.map(
      async (time) => [time, await readPoint(context.history, time, time < hoursFrom)] as const,
    );
    const points = new Map(await Promise.all(read));
    const prices = times.map((asked) => {
      const nearest = points.get(boundaryOf(asked));
      const point = nearest && nearest.timestamp >= toHour(asked) - MAX_AGE_SECONDS ? nearest : undefined;
      return { ...point?.values, asked, point };
    });
    return { prices };
  },
});

const toHour = (time: number) => boundaryBefore(time, '1h');

type RecordedPrices = Pick<Point, 'timestamp' | 'block' | 'values'> & { interval: Interval };

/** The newest point up to a boundary that is not too old: of a day, or of the later of an hour and a day. */
async function readPoint(history: HistoryStore, boundary: number, ofDay: boolean): Promise<RecordedPrices | undefined> {
  const newest = async (interval: Interval) => {
    const point = await history.newest(interval, Math.max(0, boundary - MAX_AGE_SECONDS), boundary);
    return point && { ...point, interval };
  };
  const hour = ofDay ? undefined : await newest('1h');
  if (hour?.timestamp === boundary) return hour;
  const day = await newest('1d');
  return hour && hour.timestamp >= (day?.timestamp ?? 0) ? hour : day;
}

export const handler = /* @__PURE__ */ createHandler(pricesAt);
