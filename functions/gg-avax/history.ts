import { createHandler } from '../../lib/api/endpoint.ts';
import { fields } from '../../lib/api/fields.ts';
import { historyEndpoint } from '../../lib/api/shapes/history.ts';
import { avax, ggAvax } from '../../lib/api/units.ts';
import type { PointValues } from '../../lib/history/point.ts';

const POINT = fields<PointValues>()({
  avaxPerGgAvax: avax.optional('Redemption rate: `convertToAssets` of one ggAVAX.', (values) => values.avaxPerGgAvax),
  totalAssets: avax.optional('Total assets of the pool.', (values) => values.totalAssets),
  totalSupply: ggAvax.optional('Total supply of ggAVAX.', (values) => values.totalSupply),
  stakingTotalAssets: avax.optional(
    'AVAX staked with minipools and delegations.',
    (values) => values.stakingTotalAssets,
  ),
});

export const ggAvaxHistory = historyEndpoint(
  {
    path: '/ggAvax/history',
    tag: 'ggAVAX',
    summary: 'Liquid staking pool history',
    description: 'Redemption rate, assets, and supply of ggAVAX at each data point, exact to the wei.',
    exampleRequest: '/ggAvax/history',
  },
  { name: 'GgAvaxHistoryPoint', fields: POINT, source: ({ values }) => values },
);

export const handler = createHandler(ggAvaxHistory);
