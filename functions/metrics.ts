import * as z from 'zod/mini';
import { metricsSchema } from '../lib/api/bodies/metrics-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { flagsDataset } from '../lib/flags/flags-dataset.ts';
import { poolsDataset } from '../lib/prices/current.ts';
import { metricsDataset } from '../lib/protocol/metrics-dataset.ts';

export const metrics = defineEndpoint({
  path: '/metrics',
  tag: 'Metrics',
  summary: 'Protocol metrics',
  description:
    'Key metrics of the protocol, all at the same block. A metric that has no value at this block is omitted. So is one whose source is unavailable, which is then listed in `partial`.',
  freshSeconds: metricsDataset.freshSeconds,
  datasets: [metricsDataset, flagsDataset, poolsDataset],
  reads: ['history', 'flags'],
  input: z.object({}),
  response: metricsSchema,
  exampleRequest: '/metrics',
  example: {
    ggavax_apy: 4.61,
    ggavax_apr: 4.51,
    total_assets: 395_844.636187,
    total_supply: 330_852.108294,
    exchange_rate: 1.19643981786,
    staking_total_assets: 0,
    amount_available_for_staking: 393_238.177587,
    last_rewards_amt: 0,
    rewards_cycle_end: 1_787_961_600,
    tvl_avax: 402_112.5,
    tvl_usd: 3_940_702.5,
    total_ggp_staked: 1_204_345.5,
    total_effective_ggp_staked: 0,
    total_avax_staked: 1_250,
    total_avax_liquid_staker_amt: 0,
    staker_count: 612,
    active_staker_count: 371,
    node_operator_count: 0,
    minipool_count: 1_874,
    minipools: { prelaunch: 0, launched: 0, staking: 0, withdrawable: 1, finished: 1_702, canceled: 168, error: 3 },
    ggp_price_in_avax: 0.00714479999999,
    ggp_oracle_price_in_avax: 0.00715,
    ggp_price_in_usd: 0.0700190399999,
    avax_price_in_usd: 9.8,
    ggp_total_supply: 21_370_000,
    rewards_cycle: { number: 40, start_time: 1_786_400_000, seconds: 2_592_000, total_amt: 84_571.9 },
    status: 'winding_down',
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  handle: (_input, context) => context.dataset(metricsDataset),
});

export const handler = createHandler(metrics);
