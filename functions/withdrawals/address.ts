import { queueFields, withdrawal } from '../../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { list, object } from '../../lib/api/fields.ts';
import { cursorParams, type Page, page, pageFields } from '../../lib/api/lists.ts';
import { addressParam } from '../../lib/api/params.ts';
import { address, block } from '../../lib/api/units.ts';
import { type Withdrawal, type Withdrawals, withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';

const ADDRESS_WITHDRAWALS = object<Page<Withdrawal> & Withdrawals & { address: string }>('AddressWithdrawals')({
  address: address('Address of the requester.'),
  ...queueFields,
  requests: list(withdrawal)('Open requests by `requestId`.', ({ items }) => items),
  ...pageFields('Number of open requests.'),
  block: block(),
});

export const withdrawalsAddress = defineEndpoint({
  path: '/withdrawals/{address}',
  tag: 'ggAVAX',
  summary: 'Open withdrawal requests of one address',
  description: 'Open requests of an address, as in `/withdrawals`.',
  exampleRequest: '/withdrawals/0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  freshSeconds: 30,
  reads: ['ledger'],
  params: { address: addressParam('Address of the requester.'), ...cursorParams },
  async handle({ address, ...paging }, context) {
    const queued = await context.dataset(withdrawalsDataset);
    const requester = address.toLowerCase();
    const own = queued.requests.filter((request) => request.requester === requester);
    return { ...queued, address, ...page(own, paging, ({ requestId }) => requestId) };
  },
  body: ADDRESS_WITHDRAWALS,
  rows: 'requests',
});

export const handler = /* @__PURE__ */ createHandler(withdrawalsAddress);
