import { PRICE_HISTORY } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyBody, historyEndpoint, pointFields, rangeParams } from '../../lib/api/history.ts';
import type { PointValues } from '../../lib/history/point-values.ts';
import { type HistoryPoint, readHistory } from '../../lib/history/read-history.ts';

const POINT = object<HistoryPoint & PointValues>('PriceHistoryPoint')({ ...pointFields, ...PRICE_HISTORY.fields });

export const pricesHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/prices/history',
  tag: 'Prices',
  summary: 'Price history',
  description: 'Prices as in `/prices`. A price without a source at that time is omitted.',
  exampleRequest: '/prices/history',
  params: rangeParams,
  body: historyBody(POINT),
  handle: (input, context) => readHistory(context, input, ({ values }) => values),
});

export const handler = /* @__PURE__ */ createHandler(pricesHistory);
