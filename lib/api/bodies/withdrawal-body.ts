import type { WithdrawQueue } from '../../contracts/withdraw-queue.ts';
import { WITHDRAWAL_STATUSES, type Withdrawal, type Withdrawals } from '../../protocol/withdrawals.ts';
import { choice, object } from '../fields.ts';
import { address, avax, flag, ggAvax, integer, seconds, unixTime } from '../units.ts';

/** `pendingAVAX`: AVAX wei promised to the pending requests. */
type Queue = WithdrawQueue & Pick<Withdrawals, 'pendingAVAX'>;

const queueWith = object<Queue>('WithdrawQueue', 'Withdrawal queue. An empty object if there is none.');
export const withdrawQueue = queueWith({
  pendingRequests: integer.optional('Pending requests, including expired ones.', (queue) => queue.pendingRequestsCount),
  pendingAVAX: avax.optional('AVAX promised to the pending requests.'),
  fulfilledRequests: integer.optional(
    'Number of requests with AVAX set aside but not claimed, including expired ones.',
    ({ fulfilledRequestsCount }) => fulfilledRequestsCount,
  ),
  allocatedAVAX: avax.optional('AVAX set aside, not in `totalAssets`.', (queue) => queue.totalAllocatedFunds),
  unstakeDelay: seconds.optional('Time from a request to its `claimableTime`, if it is not fulfilled earlier.'),
  minExpirationDelay: seconds.optional(
    'Minimum time from `claimableTime` to `expirationTime`. Requests that choose less get this.',
    (queue) => queue.MIN_EXPIRATION_DELAY,
  ),
  maxExpirationDelay: seconds.optional('Maximum time from then to `expirationTime`.'),
  paused: flag.optional('True while the queue accepts no requests. Others can be claimed, canceled and returned.'),
});

const withdrawalStatus = choice('WithdrawalStatus', WITHDRAWAL_STATUSES);

const queueService = object<Withdrawals['service']>(
  'QueueService',
  'Service of the queue. Requests are fulfilled only when the protocol returns AVAX from staking through the queue: while some are overdue, do not rely on dates.',
)({
  lastFulfilledTime: unixTime.optional('Time of the last fulfilled request, from events. Omitted if unknown.'),
  overdueRequests: integer('Pending requests past their `claimableTime`, including expired ones.'),
  oldestOverdueTime: unixTime.optional('`claimableTime` of the oldest of them. Omitted if none.'),
});

export const { fields: queueFields } = object<Withdrawals>()({
  withdrawQueue: withdrawQueue('', ({ queue, pendingAVAX }) => ({ ...queue, pendingAVAX })),
  service: queueService(),
});

export const withdrawal = object<Withdrawal>('WithdrawalRequest')({
  requestId: integer('Request ID, counted from 0 in order of requests.'),
  requester: address('Address that owns the request and may claim it.'),
  shares: ggAvax('Shares handed to the queue. Part of `totalSupply` until fulfilled.'),
  expectedAssets: avax('AVAX promised, fixed at the request.'),
  requestTime: unixTime('Time of the request.'),
  claimableTime: unixTime(
    'Expected time of payment: `requestTime` + the `unstakeDelay` of that time. Only `status` decides whether it can be claimed.',
  ),
  expirationTime: unixTime('From then on, it cannot be claimed, even if AVAX was set aside; see `expiryGgAvax`.'),
  status: withdrawalStatus(
    '`pending`: waiting for AVAX. `fulfilled`: claimable. `expired`: at or past `expirationTime` at this block, with or without AVAX set aside (`allocatedFunds`).',
  ),
  allocatedFunds: avax('AVAX set aside; 0 until fulfilled.'),
  avax: avax.optional(
    'Value at this block: the AVAX set aside; while pending, the AVAX promised; if expired without AVAX, the value of `shares`. Omitted if there is no pool.',
    (request) => request.assets,
  ),
  cancelGgAvax: ggAvax.optional(
    'ggAVAX that `cancelRequest` returns at this block, even while the queue is paused. Pending: shares worth the promised AVAX; the yield since the request is burned. Fulfilled, before `claimableTime` and while ggAVAX accepts deposits: shares that its AVAX buys. Omitted for expired requests, and if the simulated transaction reverts.',
    (request) => request.cancelShares,
  ),
  expiryGgAvax: ggAvax.optional(
    'ggAVAX that `reclaimExpiredRequest` returns to the requester after expiration, even while the queue is paused; anyone can call it. Without AVAX set aside: all `shares`, with their growth. With AVAX: shares that the AVAX buys at this block, because it is deposited again. Omitted for fulfilled requests before expiration, and if the simulated transaction of an expired request reverts.',
    (request) => request.expiryShares,
  ),
});
