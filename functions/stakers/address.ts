import * as z from 'zod/mini';
import { MINIPOOL } from '../../lib/api/bodies/minipool-body.ts';
import { STAKER } from '../../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { model } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { block, text } from '../../lib/api/units.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { figuresOf, requireStaker } from '../../lib/protocol/staker-figures.ts';

const response = () =>
  model(
    'StakerDetails',
    z.object({
      ...STAKER.schema().shape,
      minipools: z.optional(
        z
          .array(MINIPOOL.schema())
          .check(
            z.describe(
              'Minipools that the staker owns now, without nodes reused by another owner. Omitted without a MinipoolManager contract.',
            ),
          ),
      ),
      account: text.schema('Path of all positions: `/accounts/{address}`.'),
      block: block().schema(),
    }),
  );

export const stakersAddress = defineEndpoint({
  path: '/stakers/{address}',
  tag: 'Stakers',
  summary: 'One GGP staker and their minipools',
  description: 'A staker as in `/stakers`, and their minipools. Withdrawals are in `/accounts/{address}`.',
  freshSeconds: 60,
  input: z.object({ address: addressParam('Address of the staker.') }),
  response,
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  notFound: ['STAKER_NOT_FOUND'],
  async handle({ address }, context) {
    const protocol = await context.dataset(protocolDataset);
    const staker = requireStaker(protocol, address);
    const minipools = protocol.minipools?.filter(({ owner }) => owner === staker.stakerAddr);
    return {
      ...STAKER.json({ ...staker, ...figuresOf(protocol)(staker) }),
      minipools: minipools?.map((minipool) =>
        MINIPOOL.json({ minipool, network: context.config.network, settings: protocol.settings }),
      ),
      account: `/accounts/${address}`,
      block: protocol.block,
    };
  },
});

export const handler = /* @__PURE__ */ createHandler(stakersAddress);
