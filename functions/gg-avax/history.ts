import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyBody, historyEndpoint, pointFields, rangeParams, recorded } from '../../lib/api/history.ts';
import { avax, ggAvax } from '../../lib/api/units.ts';
import type { Point } from '../../lib/history/point.ts';
import type { PointValues } from '../../lib/history/point-values.ts';
import { readHistory } from '../../lib/history/read-history.ts';

const POINT = object<Point & PointValues>('GgAvaxHistoryPoint')({
  ...pointFields,
  avaxPerGgAvax: recorded(avax, 'avaxPerGgAvax'),
  totalAssets: recorded(avax, 'totalAssets'),
  totalSupply: recorded(ggAvax, 'totalSupply'),
  stakingTotalAssets: recorded(avax, 'stakingTotalAssets'),
});

export const ggAvaxHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/ggAvax/history',
  tag: 'ggAVAX',
  summary: 'Liquid staking pool history',
  description: 'Redemption rate, assets, and supply of ggAVAX, exact to the wei.',
  exampleRequest: '/ggAvax/history',
  params: rangeParams,
  body: historyBody(POINT),
  handle: (input, context) => readHistory(context, input, ({ values }) => values),
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxHistory);
