import { MINIPOOL, type MinipoolSource } from '../../lib/api/bodies/minipool-body.ts';
import { STAKER, type StakerSource } from '../../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { list, object } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { block, text } from '../../lib/api/units.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { figuresOf, requireStaker } from '../../lib/protocol/staker-figures.ts';
import type { BlockRef } from '../../lib/values/block.ts';

interface StakerDetails extends StakerSource {
  address: string;
  minipools: MinipoolSource[] | undefined;
  block: BlockRef;
}

const STAKER_DETAILS = object<StakerDetails>('StakerDetails')({
  ...STAKER.fields,
  minipools: list(MINIPOOL).optional(
    'Minipools that the staker owns now, without nodes reused by another owner. Omitted without a MinipoolManager contract.',
  ),
  account: text('Path of all positions: `/accounts/{address}`.', ({ address }) => `/accounts/${address}`),
  block: block(),
});

export const stakersAddress = defineEndpoint({
  path: '/stakers/{address}',
  tag: 'Stakers',
  summary: 'One GGP staker and their minipools',
  description: 'A staker as in `/stakers`, and their minipools. Withdrawals are in `/accounts/{address}`.',
  freshSeconds: 60,
  params: { address: addressParam('Address of the staker.') },
  body: STAKER_DETAILS,
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  notFound: ['STAKER_NOT_FOUND'],
  async handle({ address }, context) {
    const protocol = await context.dataset(protocolDataset);
    const staker = requireStaker(protocol, address);
    const { settings, block } = protocol;
    const minipools = protocol.minipools
      ?.filter(({ owner }) => owner === staker.stakerAddr)
      .map((minipool) => ({ ...minipool, network: context.config.network, settings }));
    return { ...staker, ...figuresOf(protocol)(staker), address, minipools, block };
  },
});

export const handler = /* @__PURE__ */ createHandler(stakersAddress);
