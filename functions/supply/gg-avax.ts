import { NUMBER_FORMATS } from '../../lib/api/definition.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { ggAvaxNumber } from '../../lib/api/units.ts';
import { required } from '../../lib/chain/contract.ts';
import { currentDataset } from '../../lib/protocol/protocol.ts';

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
    return required((await context.dataset(currentDataset)).pool.totalSupply);
  },
});

export const handler = /* @__PURE__ */ createHandler(supplyGgAvax);
