import * as z from 'zod/mini';
import {
  queueServiceBody,
  queueServiceSchema,
  withdrawalBody,
  withdrawalFields,
  withdrawQueueBody,
  withdrawQueueSchema,
} from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams } from '../lib/api/lists.ts';
import { choicesParam } from '../lib/api/params.ts';
import { blockRef, integer, model } from '../lib/api/schemas.ts';
import { WITHDRAWAL_STATUSES, withdrawalsDataset } from '../lib/protocol/withdrawals-dataset.ts';

const response = () =>
  z.object({
    withdrawQueue: withdrawQueueSchema(),
    service: queueServiceSchema(),
    requests: z
      .array(model('WithdrawalRequest', z.object(withdrawalFields())))
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
  datasets: [withdrawalsDataset],
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
  example: {
    withdrawQueue: {
      pendingRequests: 1,
      pendingAVAX: '119.643981786406244',
      fulfilledRequests: 0,
      allocatedAVAX: '0',
      unstakeDelay: 1_296_000,
      minExpirationDelay: 259_200,
      maxExpirationDelay: 5_184_000,
      paused: false,
    },
    service: { lastFulfilledTime: 1_786_500_000, overdueRequests: 0 },
    requests: [
      {
        requestId: 974,
        requester: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        shares: '100',
        expectedAssets: '119.643981786406244',
        requestTime: 1_789_000_000,
        claimableTime: 1_790_296_000,
        expirationTime: 1_795_480_000,
        status: 'pending',
        allocatedFunds: '0',
        avax: '119.643981786406244',
        cancelGgAvax: '99.87',
        expiryGgAvax: '100',
      },
    ],
    total: 1,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle({ status, ...paging }, context) {
    const { queue, service, pendingAVAX, requests, block } = await context.dataset(withdrawalsDataset);
    const wanted = status ? requests.filter((request) => status.includes(request.status)) : requests;
    const { entries, nextCursor } = page(wanted, paging, ({ requestId }) => requestId, withdrawalBody);
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
