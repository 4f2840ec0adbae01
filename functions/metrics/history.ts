import { inEUR, inUSD, ORACLE_PRICE } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyBody, historyEndpoint, pointFields, rangeParams, recorded } from '../../lib/api/history.ts';
import { avaxNumber, ggpNumber, integer } from '../../lib/api/units.ts';
import type { Point } from '../../lib/history/point.ts';
import type { PointValues } from '../../lib/history/point-values.ts';
import { readHistory } from '../../lib/history/read-history.ts';

const POINT = object<Point & PointValues>('MetricsHistoryPoint')({
  ...pointFields,
  total_assets: avaxNumber.optional('Assets of the ggAVAX pool.', (values) => values.totalAssets),
  tvl_avax: avaxNumber.optional('Total value locked, as in `/metrics`.', (values) => values.valueLocked),
  tvl_usd: inUSD('`tvl_avax` at the AVAX price of that time.', ({ valueLocked }) => valueLocked),
  tvl_eur: inEUR('`tvl_usd` in EUR at the rate of that time.', ({ valueLocked }) => valueLocked),
  total_ggp_staked: recorded(ggpNumber, 'totalGGPStaked'),
  minipools_staking: recorded(integer, 'minipoolsStaking'),
  exchange_rate: avaxNumber.optional('Redemption rate of one ggAVAX.', (values) => values.avaxPerGgAvax),
  ggp_oracle_price_in_avax: avaxNumber.optional(ORACLE_PRICE, (values) => values.ggpOraclePriceInAVAX),
});

export const metricsHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/metrics/history',
  tag: 'Metrics',
  summary: 'Protocol metrics history',
  description:
    'Some of `/metrics`. A metric that was unavailable or not recorded then is omitted. Total value locked without GGP is `tvl_avax` − `total_ggp_staked` × `ggp_oracle_price_in_avax`.',
  exampleRequest: '/metrics/history',
  params: rangeParams,
  body: historyBody(POINT),
  handle: (input, context) => readHistory(context, input, ({ values }) => values),
});

export const handler = /* @__PURE__ */ createHandler(metricsHistory);
