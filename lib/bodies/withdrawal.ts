import * as z from 'zod/mini';
import { formatAmount } from '../amounts.ts';
import { checksumAddress } from '../checksum.ts';
import type { WithdrawQueue } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../known.ts';
import { WITHDRAWAL_STATUSES, type Withdrawal } from '../protocol/withdrawals.ts';
import { address, flag, integer, model, seconds, tokens, unixTime } from '../schemas.ts';

/** How the withdrawal queue and its requests are answered. */

export const withdrawQueueSchema = () =>
  model(
    'WithdrawQueue',
    z.partial(
      z.object({
        pendingRequests: integer('Requests that wait for AVAX.'),
        pendingAVAX: tokens('AVAX', 'What they expect in all.'),
        fulfilledRequests: integer('Requests that have their AVAX, expired ones included.'),
        allocatedAVAX: tokens('AVAX', 'Set aside for claims; no longer part of totalAssets.'),
        unstakeDelay: seconds(
          'Time from a request to its claimableTime. AVAX that is there earlier may be claimed earlier.',
        ),
        minExpirationDelay: seconds('Least time that a request may ask for between claimableTime and expirationTime.'),
        maxExpirationDelay: seconds('Most time that it may ask for.'),
        paused: flag('Whether the queue is paused.'),
      }),
    ),
  ).check(z.describe('The withdrawal queue at a glance; empty while there is none.'));

export function withdrawQueueBody(queue: WithdrawQueue, pendingAVAX: bigint | undefined) {
  return {
    pendingRequests: ifKnown(Number, queue.getPendingRequestsCount),
    pendingAVAX: ifKnown(formatAmount, pendingAVAX),
    fulfilledRequests: ifKnown(Number, queue.getFulfilledRequestsCount),
    allocatedAVAX: ifKnown(formatAmount, queue.totalAllocatedFunds),
    unstakeDelay: ifKnown(Number, queue.unstakeDelay),
    minExpirationDelay: ifKnown(Number, queue.MIN_EXPIRATION_DELAY),
    maxExpirationDelay: ifKnown(Number, queue.maxExpirationDelay),
    paused: queue.paused,
  };
}

export const withdrawalFields = () => ({
  requestId: integer('Number of the request, from 0 in the order they were made.'),
  requester: address('Who asked for it and may claim it.'),
  shares: tokens('ggAVAX', 'What was handed in; part of totalSupply until the request is fulfilled.'),
  expectedAssets: tokens('AVAX', 'What it will bring, fixed when it was made.'),
  requestTime: unixTime('When it was made.'),
  claimableTime: unixTime('requestTime + unstakeDelay: when it should be claimable. What counts is `status`.'),
  expirationTime: unixTime('From then on it can no longer be claimed.'),
  status: model('WithdrawalStatus', z.enum(WITHDRAWAL_STATUSES)).check(
    z.describe(
      '`pending`: waits for AVAX. `fulfilled`: can be claimed. `expired`: past its expirationTime at this block, whether it ever got its AVAX (allocatedFunds) or not.',
    ),
  ),
  allocatedFunds: tokens('AVAX', 'Set aside for it; 0 while it waits.'),
});

export function withdrawalBody(request: Withdrawal) {
  return {
    requestId: request.requestId,
    requester: checksumAddress(request.requester),
    shares: formatAmount(request.shares),
    expectedAssets: formatAmount(request.expectedAssets),
    requestTime: request.requestTime,
    claimableTime: request.claimableTime,
    expirationTime: request.expirationTime,
    status: request.status,
    allocatedFunds: formatAmount(request.allocatedFunds),
  };
}
