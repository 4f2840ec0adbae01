import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { dexParam, requireExchange } from '../../lib/api/dex-param.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { fields } from '../../lib/api/fields.ts';
import { historyEndpoint } from '../../lib/api/shapes/history.ts';
import { text } from '../../lib/api/units.ts';

export const pricesDexHistory = historyEndpoint(
  {
    path: '/prices/{dex}/history',
    tag: 'Prices',
    summary: 'Price history of one exchange',
    description:
      "Spot prices of the exchange's deepest pools at each data point. A pair that had no pool at that time is omitted. 1 USDC is taken as 1 USD.",
    exampleRequest: '/prices/tj/history',
    notFound: ['DEX_NOT_FOUND'],
  },
  {
    name: 'PriceHistoryPoint',
    fields: PRICE_HISTORY,
    source: ({ values }, { dex }) => ({
      avaxInUSD: values[`${dex}.avaxInUSD`],
      ggpInAVAX: values[`${dex}.ggpInAVAX`],
      ggAvaxInAVAX: values[`${dex}.ggAvaxInAVAX`],
      eurInUSD: values.eurInUSD,
    }),
    params: { dex: dexParam },
    own: fields<{ dex: string }>()({ dex: text('Code of the exchange.', ({ dex }) => requireExchange(dex).code) }),
  },
);

export const handler = createHandler(pricesDexHistory);
