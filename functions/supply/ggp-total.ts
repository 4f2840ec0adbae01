import { NUMBER_FORMATS } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { ggpNumber } from '../../lib/api/units.ts';
import { required } from '../../lib/chain/contract.ts';
import { currentDataset } from '../../lib/protocol/protocol.ts';

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
    return required((await context.dataset(currentDataset)).ggpSupply);
  },
});

export const handler = /* @__PURE__ */ createHandler(supplyGgpTotal);
