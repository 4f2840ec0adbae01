import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { quantity } from '../../lib/api/schemas.ts';
import { withdrawalsDataset } from '../../lib/protocol/withdrawals-dataset.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { toNumber } from '../../lib/values/amounts.ts';

export const supplyGgAvax = defineEndpoint({
  path: '/supply/ggavax',
  tag: 'Metrics',
  summary: 'Total ggAVAX supply',
  description:
    'Total supply as a bare JSON number, for price trackers. Its block is in the `X-Block-Number` header. For the exact amount, see `totalSupply` in `/ggAvax`.',
  freshSeconds: 30,
  datasets: [withdrawalsDataset],
  reads: ['ledger'],
  input: z.object({}),
  response: () => quantity('ggAVAX', 'Total supply of ggAVAX.'),
  exampleRequest: '/supply/ggavax',
  example: 330_852.108294,
  async handle(_input, context) {
    const { pool } = await context.dataset(withdrawalsDataset);
    if (!pool) throw new ApiError('UPSTREAM_UNAVAILABLE', 'There is no ggAVAX token at this block.');
    return toNumber(pool.totalSupply);
  },
});

export const handler = createHandler(supplyGgAvax);
