import * as z from 'zod/mini';
import { partialFields } from '../../lib/api/bodies/partial-body.ts';
import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields } from '../../lib/api/fields.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/api/formats.ts';
import { timesParam } from '../../lib/api/list-params.ts';
import { integer, model, unixTime } from '../../lib/api/schemas.ts';
import { type HistoryStore, historyOf } from '../../lib/history/history-store.ts';
import { INTERVAL_SECONDS, INTERVALS } from '../../lib/history/series.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';

const MAX_TIMES = 100;
const MAX_AGE_SECONDS = 2 * 86_400;

/** What an entry says that has no prices. */
const WITHOUT = fields<unknown>()(partialFields(['prices'], 'PriceAtField', () => ({ prices: 'NOT_RECORDED_YET' })));

export const pricesAt = defineEndpoint({
  path: '/prices/at',
  tag: 'Prices',
  summary: 'Prices at given times',
  description:
    'Prices as in `/prices/history` at up to 100 times: for each, those of the nearest recorded hour or day that is not after it, with its own time. If that is more than two days older, an entry has only `asked`.',
  freshSeconds: 300,
  reads: ['history'],
  input: z.object({
    timestamp: z.optional(timesParam(MAX_TIMES, 'Times of the prices. Defaults to the start of the current UTC hour.')),
  }),
  normalizeInput: ({ timestamp }, context) => ({ timestamp: timestamp ?? [hourOf(secondsNow(context))] }),
  response: () =>
    z.object({
      prices: z
        .array(
          model(
            'PriceAt',
            z.object({
              asked: unixTime('Time that was asked for.'),
              timestamp: z.optional(unixTime('Time of these prices: the start of a UTC hour or day.')),
              interval: z.optional(
                model('Interval', z.enum(INTERVALS)).check(z.describe('Interval of the data point.')),
              ),
              block: z.optional(integer('Last block at or before `timestamp`, which has these prices.')),
              ...PRICE_HISTORY.shape(),
              ...WITHOUT.shape(),
            }),
          ),
        )
        .check(z.describe('One entry for each time, in the order asked.')),
    }),
  formats: { json: JSON_FORMAT, csv: csvFormat('prices') },
  exampleRequest: '/prices/at',
  async handle({ timestamp: times = [] }, context) {
    const hours = new Set(times.map(hourOf));
    const found = new Map(
      await Promise.all([...hours].map(async (hour) => [hour, await nearest(historyOf(context), hour)] as const)),
    );
    return { prices: times.map((asked) => ({ asked, ...found.get(hourOf(asked)) })) };
  },
});

/** Data points lie at the start of an hour: two times in the same hour have the same nearest one. */
function hourOf(time: number): number {
  return time - (time % INTERVAL_SECONDS['1h']);
}

/** The prices of the newest data point that is not after a time, or why there is none. */
async function nearest(store: HistoryStore, time: number) {
  const oldest = Math.max(0, time - MAX_AGE_SECONDS);
  const [hour, day] = await Promise.all(INTERVALS.map((interval) => store.newest(interval, oldest, time)));
  const isDay = day && day.timestamp > (hour?.timestamp ?? 0);
  const point = isDay ? day : hour;
  if (!point) return WITHOUT.body(undefined);
  const { timestamp, block, values } = point;
  return {
    timestamp,
    interval: isDay ? '1d' : '1h',
    block: block.number,
    ...PRICE_HISTORY.body(values),
  } as const;
}

export const handler = createHandler(pricesAt);
