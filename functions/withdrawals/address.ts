import * as z from 'zod/mini';
import {
  queueServiceBody,
  queueServiceSchema,
  WITHDRAWAL,
  withdrawQueueBody,
  withdrawQueueSchema,
} from '../../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { cursorParams, nextCursor, page } from '../../lib/api/lists.ts';
import { addressParam } from '../../lib/api/params.ts';
import { address, blockRef, integer, model } from '../../lib/api/schemas.ts';
import { readWithdrawals } from '../../lib/protocol/withdrawals.ts';

const response = () =>
  model(
    'AddressWithdrawals',
    z.object({
      address: address('Address of the requester.'),
      withdrawQueue: withdrawQueueSchema(),
      service: queueServiceSchema(),
      requests: z
        .array(model('WithdrawalRequest', z.object(WITHDRAWAL.shape())))
        .check(z.describe('Open requests of the address, ordered by `requestId`.')),
      total: integer('Number of open requests of the address, on all pages.'),
      nextCursor: nextCursor(),
      block: blockRef(),
    }),
  );

export const withdrawalsAddress = defineEndpoint({
  path: '/withdrawals/{address}',
  tag: 'ggAVAX',
  summary: 'Open withdrawal requests of one address',
  description:
    'Open requests of an address, as in `/withdrawals`. The list is empty if there are none. The contract deletes requests that were claimed, canceled, or returned after they had expired.',
  freshSeconds: 30,
  reads: ['ledger'],
  input: z.object({ address: addressParam('Address of the requester.'), ...cursorParams }),
  response,
  rows: 'requests',
  exampleRequest: '/withdrawals/0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  async handle({ address, ...paging }, context) {
    const { queue, service, pendingAVAX, requests, block } = await readWithdrawals(context);
    const requester = address.toLowerCase();
    const theirs = requests.filter((request) => request.requester === requester);
    const { entries, nextCursor } = page(theirs, paging, ({ requestId }) => requestId, WITHDRAWAL.body);
    return {
      address,
      withdrawQueue: withdrawQueueBody(queue, pendingAVAX),
      service: queueServiceBody(service),
      requests: entries,
      total: theirs.length,
      nextCursor,
      block,
    };
  },
});

export const handler = createHandler(withdrawalsAddress);
