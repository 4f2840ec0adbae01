import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { priceHistoryBody, priceHistoryFields } from '../../lib/api/bodies/prices-body.ts';
import { dexParam, requireExchange } from '../../lib/api/dex-param.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { text } from '../../lib/api/schemas.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';

export const pricesDexHistory = defineEndpoint({
  path: '/prices/{dex}/history',
  tag: 'Prices',
  summary: 'Price history of one exchange',
  description:
    "Spot prices of the exchange's deepest pools at each data point. A pair that had no pool at that time is omitted. 1 USDC is taken as 1 USD.",
  freshSeconds: 60,
  reads: ['history'],
  input: z.object({ dex: dexParam, ...rangeParams }),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () =>
    z.extend(historySchema('PriceHistoryPoint', priceHistoryFields()), { dex: text('Code of the exchange.') }),
  rows: 'points',
  exampleRequest: '/prices/tj/history',
  example: {
    dex: 'tj',
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
      },
    ],
    missing: 1,
  },
  notFound: ['DEX_NOT_FOUND'],
  async handle({ dex, ...range }, context) {
    const { code } = requireExchange(dex);
    const history = await readHistory(context, range, ({ values }) =>
      priceHistoryBody(
        {
          avaxInUSD: values[`${code}.avaxInUSD`],
          ggpInAVAX: values[`${code}.ggpInAVAX`],
          ggAvaxInAVAX: values[`${code}.ggAvaxInAVAX`],
        },
        values.eurInUSD,
      ),
    );
    return { dex: code, ...history };
  },
});

export const handler = createHandler(pricesDexHistory);
