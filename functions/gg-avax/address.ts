import { POSITION } from '../../lib/api/bodies/position-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { readPosition } from '../../lib/protocol/position.ts';

export const ggAvaxAddress = defineEndpoint({
  path: '/ggAvax/{address}',
  tag: 'ggAVAX',
  summary: 'ggAVAX position of one address',
  description:
    'Holdings, requests, flows and rewards of an address. Holdings come from the contracts, flows from the confirmed events in `coverage`. An address that never held ggAVAX has zeros.',
  freshSeconds: 60,
  shared: true,
  reads: ['history', 'ledger'],
  params: { address: addressParam('Address of the holder.') },
  body: POSITION,
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  handle: ({ address }, context) => readPosition(context, address),
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxAddress);
