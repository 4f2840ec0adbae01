import { createHandler } from '../../lib/api/endpoint.ts';
import { numberEndpoint } from '../../lib/api/shapes/number.ts';
import { ggAvaxNumber } from '../../lib/api/units.ts';
import { currentDataset } from '../../lib/protocol/overview.ts';

export const supplyGgAvax = numberEndpoint({
  path: '/supply/ggavax',
  tag: 'Metrics',
  summary: 'Total ggAVAX supply',
  description: 'For price trackers. The block is in `X-Block-Number`. The exact amount is `totalSupply` of `/ggAvax`.',
  exampleRequest: '/supply/ggavax',

  freshSeconds: 30,
  dataset: currentDataset,
  unit: ggAvaxNumber,
  meaning: 'Total supply of ggAVAX.',
  value: ({ pool }) => pool.totalSupply,
  noValueMessage: 'There is no ggAVAX token at this block.',
});

export const handler = /* @__PURE__ */ createHandler(supplyGgAvax);
