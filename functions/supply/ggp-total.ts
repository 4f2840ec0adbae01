import { NUMBER_FORMATS } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { ggpNumber } from '../../lib/api/units.ts';
import { currentDataset } from '../../lib/protocol/protocol.ts';
import { ApiError } from '../../lib/runtime/errors.ts';

export const supplyGgpTotal = defineEndpoint({
  path: '/supply/ggp/total',
  tag: 'Metrics',
  summary: 'Total GGP supply',
  description:
    'For price trackers. The block is in `X-Block-Number`. The exact amount is `ggpTotalSupply` of `/rewards/cycle`.',
  exampleRequest: '/supply/ggp/total',
  freshSeconds: 60,
  body: { schema: () => ggpNumber.schema('Total supply of GGP.'), json: ggpNumber.json },
  formats: NUMBER_FORMATS,
  async handle(_input, context) {
    const { ggpSupply } = await context.dataset(currentDataset);
    if (ggpSupply === undefined) throw new ApiError('UPSTREAM_UNAVAILABLE', 'There is no GGP token at this block.');
    return ggpSupply;
  },
});

export const handler = /* @__PURE__ */ createHandler(supplyGgpTotal);
