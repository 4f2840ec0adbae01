import * as z from 'zod/mini';
import {
  queueServiceBody,
  queueServiceSchema,
  WITHDRAWAL,
  withdrawQueueBody,
  withdrawQueueSchema,
} from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams } from '../lib/api/lists.ts';
import { choicesParam } from '../lib/api/params.ts';
import { blockRef, integer, model } from '../lib/api/schemas.ts';
import { readWithdrawals, WITHDRAWAL_STATUSES } from '../lib/protocol/withdrawals.ts';

const response = () =>
  z.object({
    withdrawQueue: withdrawQueueSchema(),
    service: queueServiceSchema(),
    requests: z
      .array(model('WithdrawalRequest', z.object(WITHDRAWAL.shape())))
      .check(z.describe('Open requests, ordered by `requestId`.')),
    total: integer('Number of requests that match the filter, on all pages.'),
    nextCursor: nextCursor(),
    block: blockRef(),
  });

export const withdrawals = defineEndpoint({
  path: '/withdrawals',
  tag: 'ggAVAX',
  summary: 'Withdrawal queue and open requests',
  description:
    'Requests to exchange ggAVAX for AVAX, ordered by `requestId`. The contract deletes requests that were claimed, canceled, or returned after they had expired, so only open ones are listed. The status of each request is as of the time of this block.',
  freshSeconds: 30,
  reads: ['ledger'],
  input: z.object({
    status: z.optional(
      choicesParam(WITHDRAWAL_STATUSES, 'Return only requests with these statuses.', 'WithdrawalStatus'),
    ),
    ...pageParams,
  }),
  response,
  rows: 'requests',
  exampleRequest: '/withdrawals',
  async handle({ status, ...paging }, context) {
    const { queue, service, pendingAVAX, requests, block } = await readWithdrawals(context);
    const wanted = status ? requests.filter((request) => status.includes(request.status)) : requests;
    const { entries, nextCursor } = page(wanted, paging, ({ requestId }) => requestId, WITHDRAWAL.body);
    return {
      withdrawQueue: withdrawQueueBody(queue, pendingAVAX),
      service: queueServiceBody(service),
      requests: entries,
      total: wanted.length,
      nextCursor,
      block,
    };
  },
});

export const handler = createHandler(withdrawals);
