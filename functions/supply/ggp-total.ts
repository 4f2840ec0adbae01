import * as z from 'zod/mini';
import { toNumber } from '../../lib/amounts.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { stakingDataset } from '../../lib/protocol/staking.ts';
import { quantity } from '../../lib/schemas.ts';

export const supplyGgpTotal = defineEndpoint({
  path: '/supply/ggp/total',
  tag: 'Metrics',
  summary: 'Total GGP supply',
  description:
    'Total supply as a bare JSON number, for price trackers. Its block is in the `X-Block-Number` header. For the exact amount, see `ggpTotalSupply` in `/rewards/cycle`.',
  freshSeconds: 60,
  shared: false,
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
