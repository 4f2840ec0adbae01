import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import {
  HISTORY_FRESH_SECONDS,
  historySchema,
  priceEntry,
  priceFields,
  readHistory,
} from '../../lib/history/answer.ts';
import { rangeParams } from '../../lib/history/range.ts';
import { dex, exchangeOf } from '../../lib/prices/dex.ts';
import { text } from '../../lib/schemas.ts';

export const pricesDexHistory = defineEndpoint({
  path: '/prices/{dex}/history',
  tag: 'Prices',
  summary: 'Prices on one exchange over time',
  description:
    "Spot prices of the exchange's deepest pools at each boundary; a pair that had no pool then is left out of the point. One USDC is taken as 1 USD.",
  input: z.object({ dex, ...rangeParams }),
  response: () => z.extend(historySchema(priceFields()), { dex: text('Code of the exchange.') }),
  example: {
    dex: 'tj',
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
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
  notFound: 'DEX_NOT_FOUND',
  freshSeconds: HISTORY_FRESH_SECONDS,
  fromDatasets: true,
  async handle({ dex, ...range }, context) {
    const { code } = exchangeOf(dex);
    const history = await readHistory(context, range, ({ values }) =>
      priceEntry({
        avaxInUSD: values[`${code}.avaxInUSD`],
        ggpInAVAX: values[`${code}.ggpInAVAX`],
        ggAvaxInAVAX: values[`${code}.ggAvaxInAVAX`],
      }),
    );
    return { dex: code, ...history };
  },
});

export const handler = createHandler(pricesDexHistory);
