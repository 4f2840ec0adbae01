import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { historyEndpoint } from '../../lib/api/shapes/history.ts';

export const pricesHistory = historyEndpoint({
  path: '/prices/history',
  tag: 'Prices',
  summary: 'Price history',
  description: 'Prices as in `/prices`. A price without a source at that time is omitted.',
  exampleRequest: '/prices/history',
  name: 'PriceHistoryPoint',
  fields: PRICE_HISTORY,
  source: ({ values }) => values,
});

export const handler = /* @__PURE__ */ createHandler(pricesHistory);
