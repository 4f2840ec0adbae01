import { NUMBER_FORMATS } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { ggAvaxNumber } from '../../lib/api/units.ts';
import { currentDataset } from '../../lib/protocol/protocol.ts';
import { ApiError } from '../../lib/runtime/errors.ts';

export const supplyGgAvax = defineEndpoint({
  path: '/supply/ggavax',
  tag: 'Metrics',
  summary: 'Total ggAVAX supply',
  description: 'For price trackers. The block is in `X-Block-Number`. The exact amount is `totalSupply` of `/ggAvax`.',
  exampleRequest: '/supply/ggavax',
  freshSeconds: 30,
  body: { schema: () => ggAvaxNumber.schema('Total supply of ggAVAX.'), json: ggAvaxNumber.json },
  formats: NUMBER_FORMATS,
  async handle(_input, context) {
    const { totalSupply } = (await context.dataset(currentDataset)).pool;
    if (totalSupply === undefined)
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'There is no ggAVAX token at this block.');
    return totalSupply;
  },
});

export const handler = /* @__PURE__ */ createHandler(supplyGgAvax);
