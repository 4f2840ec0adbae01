import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { priceHistoryBody, priceHistoryFields } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';

export const pricesHistory = defineEndpoint({
  path: '/prices/history',
  tag: 'Prices',
  summary: 'Price history',
  description: 'Prices as in `/prices` at each data point. A price without a source at that time is omitted.',
  freshSeconds: 60,
  reads: ['history'],
  input: z.object(rangeParams),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () => historySchema('PriceHistoryPoint', priceHistoryFields()),
  rows: 'points',
  exampleRequest: '/prices/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    recordedFrom: 1_786_492_800,
    points: [
      {
        timestamp: 1_789_084_800,
        block: 94_975_312,
        avaxInUSD: 9.8,
        ggpInAVAX: 0.00714479999999,
        ggpInUSD: 0.0700190399999,
        ggAvaxInAVAX: 1.19643981786,
        ggAvaxInUSD: 11.725110215,
        eurInUSD: 1.1034,
      },
    ],
    missing: 1,
  },
  handle: (range, context) => readHistory(context, range, ({ values }) => priceHistoryBody(values, values.eurInUSD)),
});

export const handler = createHandler(pricesHistory);
