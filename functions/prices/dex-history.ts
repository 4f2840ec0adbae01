import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { dexParam, requireExchange } from '../../lib/api/dex-param.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyEndpoint } from '../../lib/api/shapes/history.ts';
import { text } from '../../lib/api/units.ts';

export const pricesDexHistory = historyEndpoint({
  path: '/prices/{dex}/history',
  tag: 'Prices',
  summary: 'Price history of one exchange',
  description: "Spot prices of the exchange's deepest pools (1 USDC = 1 USD). A pair without a pool then is omitted.",
  exampleRequest: '/prices/tj/history',
  notFound: ['DEX_NOT_FOUND'],

  name: 'PriceHistoryPoint',
  fields: PRICE_HISTORY,
  source: ({ values }, { dex }) => ({
    avaxInUSD: values[`${dex}.avaxInUSD`],
    ggpInAVAX: values[`${dex}.ggpInAVAX`],
    ggAvaxInAVAX: values[`${dex}.ggAvaxInAVAX`],
    eurInUSD: values.eurInUSD,
  }),
  params: { dex: dexParam },
  own: object<{ dex: string }>()({ dex: text('Code of the exchange.', ({ dex }) => requireExchange(dex).code) }),
});

export const handler = /* @__PURE__ */ createHandler(pricesDexHistory);
