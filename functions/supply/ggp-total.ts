import { createHandler } from '../../lib/api/endpoint.ts';
import { numberEndpoint } from '../../lib/api/shapes/number.ts';
import { ggpNumber } from '../../lib/api/units.ts';
import { currentDataset } from '../../lib/protocol/overview.ts';

export const supplyGgpTotal = numberEndpoint({
  path: '/supply/ggp/total',
  tag: 'Metrics',
  summary: 'Total GGP supply',
  description:
    'For price trackers. The block is in `X-Block-Number`. The exact amount is `ggpTotalSupply` of `/rewards/cycle`.',
  exampleRequest: '/supply/ggp/total',

  freshSeconds: 60,
  dataset: currentDataset,
  unit: ggpNumber,
  meaning: 'Total supply of GGP.',
  value: ({ ggpSupply }) => ggpSupply,
  noValueMessage: 'There is no GGP token at this block.',
});

export const handler = /* @__PURE__ */ createHandler(supplyGgpTotal);
