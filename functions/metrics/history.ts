import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { oraclePrice } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { integer, quantity } from '../../lib/api/schemas.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { toNumber } from '../../lib/values/amounts.ts';
import { mulWad } from '../../lib/values/wad.ts';

export const metricsHistory = defineEndpoint({
  path: '/metrics/history',
  tag: 'Metrics',
  summary: 'Protocol metrics history',
  description:
    'Selected metrics of `/metrics` at each data point. A metric that was not available, or not recorded yet, then is omitted. Total value locked without GGP is `tvl_avax` − `total_ggp_staked` × `ggp_oracle_price_in_avax`.',
  freshSeconds: 60,
  reads: ['history'],
  input: z.object(rangeParams),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () =>
    historySchema('MetricsHistoryPoint', {
      total_assets: z.optional(quantity('AVAX', 'Total assets of the liquid staking pool.')),
      tvl_avax: z.optional(quantity('AVAX', 'Total value locked, without double counting, as in `/metrics`.')),
      tvl_usd: z.optional(quantity('USD', 'Total value locked, at the AVAX price of that time.')),
      total_ggp_staked: z.optional(quantity('GGP', 'GGP staked by all stakers.')),
      minipools_staking: z.optional(integer('Number of minipools that were validating.')),
      exchange_rate: z.optional(quantity('AVAX', 'Redemption rate of one ggAVAX.')),
      ggp_oracle_price_in_avax: oraclePrice(),
    }),
  rows: 'points',
  exampleRequest: '/metrics/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    recordedFrom: 1_786_492_800,
    points: [
      {
        timestamp: 1_789_084_800,
        block: 94_975_312,
        total_assets: 395_844.636187,
        tvl_avax: 402_112.5,
        tvl_usd: 3_940_702.5,
        total_ggp_staked: 1_204_345.5,
        minipools_staking: 0,
        exchange_rate: 1.19643981786,
        ggp_oracle_price_in_avax: 0.00520415,
      },
    ],
    missing: 1,
  },
  handle: (range, context) =>
    readHistory(context, range, ({ values }) => ({
      total_assets: ifKnown(toNumber, values.totalAssets),
      tvl_avax: ifKnown(toNumber, values.valueLocked),
      tvl_usd: ifKnown(toNumber, ifKnown(mulWad, values.valueLocked, values.avaxInUSD)),
      total_ggp_staked: ifKnown(toNumber, values.totalGGPStaked),
      minipools_staking: ifKnown(Number, values.minipoolsStaking),
      exchange_rate: ifKnown(toNumber, values.avaxPerGgAvax),
      ggp_oracle_price_in_avax: ifKnown(toNumber, values.ggpOraclePriceInAVAX),
    })),
});

export const handler = createHandler(metricsHistory);
