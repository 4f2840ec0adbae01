import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { address } from '../../lib/params.ts';
import {
  withdrawalBody,
  withdrawalFields,
  withdrawQueueBody,
  withdrawQueueSchema,
} from '../../lib/protocol/withdrawal-body.ts';
import { withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';
import { address as addressField, blockRef, integer } from '../../lib/schemas.ts';

const response = () =>
  z.object({
    address: addressField('Who was asked about.'),
    withdrawQueue: withdrawQueueSchema(),
    requests: z.array(z.object(withdrawalFields())).check(z.describe('Their open requests, by requestId.')),
    total: integer('How many they are.'),
    block: blockRef(),
  });

export const withdrawalsAddress = defineEndpoint({
  path: '/withdrawals/{address}',
  tag: 'ggAVAX',
  summary: "One address's open withdrawal requests",
  description:
    'The requests that this address has made, as `/withdrawals` lists them; none is an empty list. Claimed and cancelled ones are forgotten by the contract.',
  input: z.object({ address: address('The requester, in any case.') }),
  response,
  example: {
    address: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    withdrawQueue: {
      pendingRequests: 14,
      pendingAVAX: '1250.5',
      fulfilledRequests: 0,
      allocatedAVAX: '0',
      unstakeDelay: 1_296_000,
      minExpirationDelay: 259_200,
      maxExpirationDelay: 5_184_000,
      paused: false,
    },
    requests: [],
    total: 0,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  freshSeconds: 30,
  fromDatasets: true,
  async handle({ address }, context) {
    const { queue, pendingAVAX, requests, block } = await context.dataset(withdrawalsDataset);
    const requester = address.toLowerCase();
    const theirs = requests.filter((request) => request.requester === requester);
    return {
      address,
      withdrawQueue: withdrawQueueBody(queue, pendingAVAX),
      requests: theirs.map(withdrawalBody),
      total: theirs.length,
      block,
    };
  },
});

export const handler = createHandler(withdrawalsAddress);
