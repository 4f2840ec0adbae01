import { createHandler } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyEndpoint, recorded } from '../../lib/api/shapes/history.ts';
import { avax, ggAvax } from '../../lib/api/units.ts';
import type { PointValues } from '../../lib/history/point-values.ts';

const POINT = object<PointValues>()({
  avaxPerGgAvax: recorded(avax, 'avaxPerGgAvax'),
  totalAssets: recorded(avax, 'totalAssets'),
  totalSupply: recorded(ggAvax, 'totalSupply'),
  stakingTotalAssets: recorded(avax, 'stakingTotalAssets'),
});

export const ggAvaxHistory = historyEndpoint({
  path: '/ggAvax/history',
  tag: 'ggAVAX',
  summary: 'Liquid staking pool history',
  description: 'Redemption rate, assets, and supply of ggAVAX, exact to the wei.',
  exampleRequest: '/ggAvax/history',
  name: 'GgAvaxHistoryPoint',
  fields: POINT,
  source: ({ values }) => values,
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxHistory);
