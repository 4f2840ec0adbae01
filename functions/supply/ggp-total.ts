import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { quantity } from '../../lib/api/schemas.ts';
import { stakingDataset } from '../../lib/protocol/staking-dataset.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { toNumber } from '../../lib/values/amounts.ts';

export const supplyGgpTotal = defineEndpoint({
  path: '/supply/ggp/total',
  tag: 'Metrics',
  summary: 'Total GGP supply',
  description:
    'Total supply as a bare JSON number, for price trackers. Its block is in the `X-Block-Number` header. For the exact amount, see `ggpTotalSupply` in `/rewards/cycle`.',
  freshSeconds: 60,
  datasets: [stakingDataset],
  input: z.object({}),
  response: () => quantity('GGP', 'Total supply of GGP.'),
  exampleRequest: '/supply/ggp/total',
  example: 21_064_900.5,
  async handle(_input, context) {
    const { ggpSupply } = await context.dataset(stakingDataset);
    if (ggpSupply === undefined) throw new ApiError('UPSTREAM_UNAVAILABLE', 'There is no GGP token at this block.');
    return toNumber(ggpSupply);
  },
});

export const handler = createHandler(supplyGgpTotal);
