import * as z from 'zod/mini';
import { toNumber } from '../../lib/amounts.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { stakingDataset } from '../../lib/protocol/staking.ts';
import { quantity } from '../../lib/schemas.ts';

export const supplyGgpTotal = defineEndpoint({
  path: '/supply/ggp/total',
  tag: 'Metrics',
  summary: 'GGP in existence',
  description:
    'A bare number, as price trackers read it. Its block is in the headers. The exact amount is ggpTotalSupply of `/rewards/cycle`.',
  freshSeconds: 60,
  shared: false,
  input: z.object({}),
  response: () => quantity('GGP', 'Total supply.'),
  exampleRequest: '/supply/ggp/total',
  example: 21_064_900.5,
  async handle(_input, context) {
    const { ggpSupply } = await context.dataset(stakingDataset);
    if (ggpSupply === undefined) throw new ApiError('UPSTREAM_UNAVAILABLE', 'There is no GGP token at this block.');
    return toNumber(ggpSupply);
  },
});

export const handler = createHandler(supplyGgpTotal);
