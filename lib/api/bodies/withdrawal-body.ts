import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import type { WithdrawQueue } from '../../contracts/withdraw-queue.ts';
import { type QueueService, WITHDRAWAL_STATUSES, type Withdrawal } from '../../protocol/withdrawals-dataset.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount } from '../../values/amounts.ts';
import { address, flag, integer, model, seconds, tokens, unixTime } from '../schemas.ts';

/** How the withdrawal queue and its requests look in responses. */

export const withdrawQueueSchema = () =>
  model(
    'WithdrawQueue',
    z.partial(
      z.object({
        pendingRequests: integer('Number of requests waiting for AVAX, including expired ones.'),
        pendingAVAX: tokens('AVAX', 'AVAX promised to the pending requests.'),
        fulfilledRequests: integer(
          'Number of requests with AVAX set aside and not yet claimed, including expired ones.',
        ),
        allocatedAVAX: tokens('AVAX', 'AVAX set aside for claims. No longer part of `totalAssets`.'),
        unstakeDelay: seconds(
          'Time from a request to its `claimableTime`. A request that is fulfilled earlier can be claimed earlier.',
        ),
        minExpirationDelay: seconds(
          'Minimum time between the `claimableTime` and `expirationTime` of a request. One that chooses less gets this much.',
        ),
        maxExpirationDelay: seconds(
          'Maximum time that a request can choose between its `claimableTime` and `expirationTime`.',
        ),
        paused: flag(
          'Whether the queue is paused. Then it accepts no requests; those that there are can be claimed, canceled and returned as before.',
        ),
      }),
    ),
  ).check(z.describe('Summary of the withdrawal queue. An empty object if there is no queue.'));

export function withdrawQueueBody(queue: WithdrawQueue, pendingAVAX: bigint | undefined) {
  return {
    pendingRequests: ifKnown(Number, queue.pendingRequests),
    pendingAVAX: ifKnown(formatAmount, pendingAVAX),
    fulfilledRequests: ifKnown(Number, queue.fulfilledRequests),
    allocatedAVAX: ifKnown(formatAmount, queue.totalAllocatedFunds),
    unstakeDelay: ifKnown(Number, queue.unstakeDelay),
    minExpirationDelay: ifKnown(Number, queue.minExpirationDelay),
    maxExpirationDelay: ifKnown(Number, queue.maxExpirationDelay),
    paused: queue.paused,
  };
}

export const queueServiceSchema = () =>
  model(
    'QueueService',
    z.object({
      lastFulfilledTime: z.optional(
        unixTime('When a request was last fulfilled, from the event ledger. Omitted if none is known.'),
      ),
      overdueRequests: integer('Pending requests whose `claimableTime` has passed, including expired ones.'),
      oldestOverdueTime: z.optional(unixTime('`claimableTime` of the oldest of them. Omitted if there is none.')),
    }),
  ).check(
    z.describe(
      'How the queue is served. Requests are only fulfilled when the protocol returns AVAX from staking through the queue: while some are overdue, no date can be relied on.',
    ),
  );

export function queueServiceBody({ lastFulfilledTime, overdueRequests, oldestOverdueTime }: QueueService) {
  return { lastFulfilledTime, overdueRequests, oldestOverdueTime };
}

export const withdrawalFields = () => ({
  requestId: integer('ID of the request. IDs start at 0 and follow the order of requests.'),
  requester: address('Address that owns the request and may claim it.'),
  shares: tokens('ggAVAX', 'Shares handed to the queue. Part of `totalSupply` until the request is fulfilled.'),
  expectedAssets: tokens('AVAX', 'AVAX promised, fixed when the request was made.'),
  requestTime: unixTime('When the request was made.'),
  claimableTime: unixTime(
    'When the AVAX is expected to be claimable: `requestTime` plus the `unstakeDelay` at that time. Whether it can be claimed depends on `status` alone.',
  ),
  expirationTime: unixTime(
    'From this time on, the request can no longer be claimed, even if AVAX was set aside for it; see `expiryGgAvax`.',
  ),
  status: model('WithdrawalStatus', z.enum(WITHDRAWAL_STATUSES)).check(
    z.describe(
      '`pending`: waiting for AVAX. `fulfilled`: can be claimed. `expired`: at or past `expirationTime` at this block, whether or not AVAX was set aside (`allocatedFunds`).',
    ),
  ),
  allocatedFunds: tokens('AVAX', 'AVAX set aside for the request; 0 until it is fulfilled.'),
  avax: z.optional(
    tokens(
      'AVAX',
      'What the request is worth at this block: the AVAX set aside for it or, while it waits, promised to it; once it has expired without any, the value of its `shares`. Omitted if there is no pool.',
    ),
  ),
  cancelGgAvax: z.optional(
    tokens(
      'ggAVAX',
      'What `cancelRequest`, which works while the queue is paused, too, returns at this block: for a pending request, shares worth the promised AVAX, while the growth since the request is burned; for a fulfilled one, shares that its AVAX buys. Omitted for expired requests, and where canceling is refused or would return nothing: a fulfilled request can be canceled only before its `claimableTime`, and while ggAVAX accepts deposits.',
    ),
  ),
  expiryGgAvax: z.optional(
    tokens(
      'ggAVAX',
      'What `reclaimExpiredRequest`, which anyone can call, and which works while the queue is paused, too, returns to the requester once the request has expired: for a request without AVAX, all of its `shares`, with their growth; for an expired one with AVAX, shares that the AVAX buys at this block, because it is deposited again. Omitted for fulfilled requests that have not expired, and where reclaiming is refused because ggAVAX accepts no deposits.',
    ),
  ),
});

export function withdrawalBody(request: Withdrawal) {
  return {
    requestId: request.requestId,
    requester: getAddress(request.requester),
    shares: formatAmount(request.shares),
    expectedAssets: formatAmount(request.expectedAssets),
    requestTime: request.requestTime,
    claimableTime: request.claimableTime,
    expirationTime: request.expirationTime,
    status: request.status,
    allocatedFunds: formatAmount(request.allocatedFunds),
    avax: ifKnown(formatAmount, request.assets),
    cancelGgAvax: ifKnown(formatAmount, request.cancelShares),
    expiryGgAvax: ifKnown(formatAmount, request.expiryShares),
  };
}
