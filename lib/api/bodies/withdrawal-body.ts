/** The fields of the withdrawal queue and its requests in responses. */

import type { WithdrawQueue } from '../../contracts/withdraw-queue.ts';
import { type QueueService, WITHDRAWAL_STATUSES, type Withdrawal } from '../../protocol/withdrawals.ts';
import { choice, fields, object, unit } from '../fields.ts';
import { address, avax, flag, ggAvax, integer, seconds, unixTime } from '../units.ts';

interface Queued {
  queue: WithdrawQueue;
  /** AVAX promised to the pending requests, in wei. */
  pendingAVAX?: bigint | undefined;
}

const QUEUE = fields<Queued>()({
  pendingRequests: integer.optional(
    'Number of requests waiting for AVAX, including expired ones.',
    ({ queue }) => queue.pendingRequests,
  ),
  pendingAVAX: avax.optional('AVAX promised to the pending requests.', ({ pendingAVAX }) => pendingAVAX),
  fulfilledRequests: integer.optional(
    'Number of requests with AVAX set aside and not yet claimed, including expired ones.',
    ({ queue }) => queue.fulfilledRequests,
  ),
  allocatedAVAX: avax.optional(
    'AVAX set aside for claims. No longer part of `totalAssets`.',
    ({ queue }) => queue.totalAllocatedFunds,
  ),
  unstakeDelay: seconds.optional(
    'Time from a request to its `claimableTime`. A request that is fulfilled earlier can be claimed earlier.',
    ({ queue }) => queue.unstakeDelay,
  ),
  minExpirationDelay: seconds.optional(
    'Minimum time between the `claimableTime` and `expirationTime` of a request. One that chooses less gets this much.',
    ({ queue }) => queue.minExpirationDelay,
  ),
  maxExpirationDelay: seconds.optional(
    'Maximum time that a request can choose between its `claimableTime` and `expirationTime`.',
    ({ queue }) => queue.maxExpirationDelay,
  ),
  paused: flag.optional(
    'Whether the queue is paused. Then it accepts no requests; those that there are can be claimed, canceled and returned as before.',
    ({ queue }) => queue.paused,
  ),
});

const queue = object('WithdrawQueue', QUEUE);

/** The summary of the queue. */
export const withdrawQueue = unit(
  () => queue.schema('Summary of the withdrawal queue. An empty object if there is no queue.'),
  queue.json,
);

const service = object(
  'QueueService',
  fields<QueueService>()({
    lastFulfilledTime: unixTime.optional(
      'When a request was last fulfilled, from the event ledger. Omitted if none is known.',
      ({ lastFulfilledTime }) => lastFulfilledTime,
    ),
    overdueRequests: integer(
      'Pending requests whose `claimableTime` has passed, including expired ones.',
      ({ overdueRequests }) => overdueRequests,
    ),
    oldestOverdueTime: unixTime.optional(
      '`claimableTime` of the oldest of them. Omitted if there is none.',
      ({ oldestOverdueTime }) => oldestOverdueTime,
    ),
  }),
);

/** The queue's service: the last fulfilled request, and the overdue ones. */
export const queueService = unit(
  () =>
    service.schema(
      'How the queue is served. Requests are only fulfilled when the protocol returns AVAX from staking through the queue: while some are overdue, no date can be relied on.',
    ),
  service.json,
);

/** The fields about the queue in lists of requests. */
export const ofQueue = {
  withdrawQueue: withdrawQueue('', (queued: Queued) => queued),
  service: queueService('', ({ service }: { service: QueueService }) => service),
};

/** An open request. */
export const withdrawal = object(
  'WithdrawalRequest',
  fields<Withdrawal>()({
    requestId: integer(
      'ID of the request. IDs start at 0 and follow the order of requests.',
      (request) => request.requestId,
    ),
    requester: address('Address that owns the request and may claim it.', (request) => request.requester),
    shares: ggAvax(
      'Shares handed to the queue. Part of `totalSupply` until the request is fulfilled.',
      (request) => request.shares,
    ),
    expectedAssets: avax('AVAX promised, fixed when the request was made.', (request) => request.expectedAssets),
    requestTime: unixTime('When the request was made.', (request) => request.requestTime),
    claimableTime: unixTime(
      'When the AVAX is expected to be claimable: `requestTime` plus the `unstakeDelay` at that time. Whether it can be claimed depends on `status` alone.',
      (request) => request.claimableTime,
    ),
    expirationTime: unixTime(
      'From this time on, the request can no longer be claimed, even if AVAX was set aside for it; see `expiryGgAvax`.',
      (request) => request.expirationTime,
    ),
    status: choice('WithdrawalStatus', WITHDRAWAL_STATUSES)(
      '`pending`: waiting for AVAX. `fulfilled`: can be claimed. `expired`: at or past `expirationTime` at this block, whether or not AVAX was set aside (`allocatedFunds`).',
      ({ status }) => status,
    ),
    allocatedFunds: avax(
      'AVAX set aside for the request; 0 until it is fulfilled.',
      (request) => request.allocatedFunds,
    ),
    avax: avax.optional(
      'What the request is worth at this block: the AVAX set aside for it or, while it waits, promised to it; once it has expired without any, the value of its `shares`. Omitted if there is no pool.',
      (request) => request.assets,
    ),
    cancelGgAvax: ggAvax.optional(
      'What `cancelRequest` returns to the requester at this block, also while the queue is paused. Pending: shares worth the promised AVAX; the growth since the request is burned. Fulfilled: shares that its AVAX buys, only before `claimableTime` and while ggAVAX accepts deposits. Omitted for expired requests, and if the simulated transaction reverts.',
      (request) => request.cancelShares,
    ),
    expiryGgAvax: ggAvax.optional(
      'What `reclaimExpiredRequest`, which anyone can call, returns to the requester once the request has expired, also while the queue is paused. Without AVAX: all of its `shares`, with their growth. With AVAX: shares that the AVAX buys at this block, because it is deposited again. Omitted for fulfilled requests before they expire, and if the simulated transaction of an expired request reverts.',
      (request) => request.expiryShares,
    ),
  }),
);
