import { queueFields, withdrawal } from '../../lib/api/bodies/withdrawal-body.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { entries, type Listed, pageFields } from '../../lib/api/lists.ts';
import { addressParam } from '../../lib/api/params.ts';
import { listEndpoint } from '../../lib/api/shapes/list.ts';
import { address, block } from '../../lib/api/units.ts';
import { type Withdrawal, type Withdrawals, withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';

const BODY = object<Listed<Withdrawal, Withdrawals & { address: string }>>()({
  address: address('Address of the requester.'),
  ...queueFields,
  requests: entries(withdrawal, 'Open requests by `requestId`.'),
  ...pageFields('Number of open requests.'),
  block: block(),
});

export const withdrawalsAddress = listEndpoint({
  path: '/withdrawals/{address}',
  tag: 'ggAVAX',
  summary: 'Open withdrawal requests of one address',
  description: 'Open requests of an address, as in `/withdrawals`.',
  exampleRequest: '/withdrawals/0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',

  freshSeconds: 30,
  reads: ['ledger'],
  params: { address: addressParam('Address of the requester.') },
  async read({ address }, context) {
    const queued = await context.dataset(withdrawalsDataset);
    const requester = address.toLowerCase();
    return { ...queued, address, items: queued.requests.filter((request) => request.requester === requester) };
  },
  key: ({ requestId }) => requestId,
  body: BODY,
  bodyName: 'AddressWithdrawals',
  rows: 'requests',
});

export const handler = /* @__PURE__ */ createHandler(withdrawalsAddress);
