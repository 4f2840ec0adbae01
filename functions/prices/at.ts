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

interface PriceAt extends PointValues {
  asked: number;
  point: RecordedPrices | undefined;
}

const AT = object<PriceAt>()({
  asked: unixTime('Requested time.'),
  timestamp: unixTime.optional('Time of the prices: the start of a UTC hour or day.', ({ point }) => point?.timestamp),
  interval: choice('Interval', INTERVALS).optional('Interval of the data point.', ({ point }) => point?.interval),
  blockNumber: integer.optional(
    'Block of the prices: the last one at or before `timestamp`.',
    ({ point }) => point?.block.number,
  ),
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
    'Recorded prices, as in `/prices/history`, at up to 100 times. Each is of the last recorded hour or day up to that time. If that is more than two days older, prices are omitted.',
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
  async handle({ timestamp: times = [] }, { history }) {
    const read = await Promise.all(toRuns(times).map((run) => readRun(history, run)));
    const points = read.flat();
    const prices = times.map((asked) => {
      const point = nearest(points, asked);
      return { ...point?.values, asked, point };
    });
    return { prices };
  },
});

/** Start of a time's hour: data points lie there. */
const toHour = (time: number) => boundaryBefore(time, '1h');

type RecordedPrices = Pick<Point, 'timestamp' | 'block' | 'values'> & { interval: Interval };

/** Divides times, the oldest first, where most time lies between two of them: at most two runs, four queries. */
function toRuns(times: readonly number[]): (readonly number[])[] {
  const gapBefore = (place: number) => (times[place] as number) - (times[place - 1] as number);
  const [widest] = [...times.keys()].slice(1).sort((a, b) => gapBefore(b) - gapBefore(a));
  return widest === undefined ? [times] : [times.slice(0, widest), times.slice(widest)];
}

/** The data points that these times may have, oldest first. At the same time, the hour comes last, because it counts. */
async function readRun(history: HistoryStore, run: readonly number[]): Promise<RecordedPrices[]> {
  const [from, to] = [Math.max(0, toHour(run[0] as number) - MAX_AGE_SECONDS), run.at(-1) as number];
  const read = async (interval: Interval) =>
    (await history.points(interval, from, to)).map((point) => ({ ...point, interval }));
  const [days, hours] = await Promise.all([read('1d'), read('1h')]);
  return [...days, ...hours].sort((a, b) => a.timestamp - b.timestamp);
}

/** The newest data point that is not after a time, unless it is too old. */
function nearest(points: readonly RecordedPrices[], time: number): RecordedPrices | undefined {
  const point = points.findLast(({ timestamp }) => timestamp <= time);
  return point && point.timestamp >= toHour(time) - MAX_AGE_SECONDS ? point : undefined;
}

export const handler = /* @__PURE__ */ createHandler(pricesAt);
