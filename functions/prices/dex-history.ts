import { dexParam, PRICE_POINT, type Prices } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyBody, historyEndpoint, rangeParams } from '../../lib/api/history.ts';
import { text } from '../../lib/api/units.ts';
import type { Point } from '../../lib/history/point.ts';
import { type HistoryPage, readHistory } from '../../lib/history/read-history.ts';
import { requireExchange } from '../../lib/prices/exchanges.ts';

export const pricesDexHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/prices/{dex}/history',
  tag: 'Prices',
  summary: 'Price history of one exchange',
  description: "Spot prices of the exchange's deepest pools (1 USDC = 1 USD). A pair without a pool then is omitted.",
  exampleRequest: '/prices/tj/history',
  notFound: ['DEX_NOT_FOUND'],
  params: { dex: dexParam(), ...rangeParams },
  body: object<HistoryPage<Point & Prices> & { dex: string }>()({
    dex: text('Code of the exchange.'),
    ...historyBody(PRICE_POINT).fields,
  }),
  normalizeInput: ({ dex, ...range }, context) => ({
    dex: requireExchange(dex).code,
    ...historyEndpoint.normalizeInput(range, context),
  }),
  async handle({ dex, ...range }, context) {
    const page = await readHistory(context, range, ({ values }) => ({
      avaxInUSD: values[`${dex}.avaxInUSD`],
      ggpInAVAX: values[`${dex}.ggpInAVAX`],
      ggAvaxInAVAX: values[`${dex}.ggAvaxInAVAX`],
      eurInUSD: values.eurInUSD,
    }));
    return { dex, ...page };
  },
});

export const handler = /* @__PURE__ */ createHandler(pricesDexHistory);
