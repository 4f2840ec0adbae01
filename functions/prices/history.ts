import { PRICE_POINT } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { historyBody, historyEndpoint, rangeParams } from '../../lib/api/history.ts';
import { readHistory } from '../../lib/history/read-history.ts';

export const pricesHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/prices/history',
  tag: 'Prices',
  summary: 'Price history',
  description: 'Prices as in `/prices`. A price without a source at that time is omitted.',
  exampleRequest: '/prices/history',
  params: rangeParams,
  body: historyBody(PRICE_POINT),
  handle: (input, context) => readHistory(context, input, ({ values }) => values),
});

export const handler = /* @__PURE__ */ createHandler(pricesHistory);
