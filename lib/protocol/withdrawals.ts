import type { Dataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import { chainOf } from '../chain/chain.ts';
import { type PoolTotals, readTotals } from '../contracts/gg-avax.ts';
import {
  readWithdrawQueue,
  readWithdrawRequests,
  type WithdrawQueue,
  type WithdrawRequest,
} from '../contracts/withdraw-queue.ts';
import { redeemedAssets } from '../rewards/gg-avax.ts';
import { ApiError } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { smaller } from '../values/wad.ts';

export const WITHDRAWAL_STATUSES = ['pending', 'fulfilled', 'expired'] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** An open request, and its status at the block's time. */
export interface Withdrawal extends WithdrawRequest {
  status: WithdrawalStatus;
}

/** The pool that has to serve the queue. */
export interface QueuedPool extends PoolTotals {
  /** AVAX wei left after serving the pending requests; negative if there is not enough for them. */
  leftAssets: bigint;
}

/** The withdrawal queue at one block, open requests by id. Without a queue, both `queue` and `requests` are empty. */
export interface Withdrawals {
  block: BlockRef;
  /** Missing if there is no pool. */
  pool?: QueuedPool | undefined;
  queue: WithdrawQueue;
  /** AVAX wei that the pending requests expect in total. */
  pendingAVAX?: bigint | undefined;
  requests: Withdrawal[];
}

/** Shared by all answers about the queue. */
export const withdrawalsDataset: Dataset<Withdrawals> = {
  name: 'withdrawals',
  version: 3,
  freshSeconds: 30,
  async read(context) {
    const state = await chainOf(context).latest('withdrawals');
    const [pool, queue, pending, fulfilled, block] = await Promise.all([
      ifAnswered(readTotals(state)),
      readWithdrawQueue(state),
      readWithdrawRequests(state, 'getAllPendingRequests'),
      readWithdrawRequests(state, 'getAllFulfilledRequests'),
      state.block(),
    ]);
    // A queue that answers but does not list its requests has become a different contract, not an empty list.
    if (Object.keys(queue).length > 0 && !(pending && fulfilled))
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'The withdrawal queue did not list its requests.');
    const withStatus = (requests: WithdrawRequest[] = [], status: WithdrawalStatus) =>
      requests.map((request) => ({ ...request, status: isExpired(request, block) ? 'expired' : status }));
    const requests = [...withStatus(pending, 'pending'), ...withStatus(fulfilled, 'fulfilled')];
    return {
      block,
      pool: pool && { ...pool, leftAssets: leftAfter(pending ?? [], pool) },
      queue,
      pendingAVAX: pending && expectedAssetsOf(pending),
      requests: requests.sort((a, b) => a.requestId - b.requestId),
    };
  },
};

/** AVAX wei that these requests expect in total. */
export function expectedAssetsOf(requests: readonly WithdrawRequest[]): bigint {
  return requests.reduce((sum, { expectedAssets }) => sum + expectedAssets, 0n);
}

/**
 * AVAX wei left after serving these requests. Serving one redeems all its shares: what they bring beyond the promised
 * AVAX goes into the next rewards stream.
 */
function leftAfter(requests: readonly WithdrawRequest[], pool: PoolTotals): bigint {
  const shares = requests.map((request) => request.shares);
  return atHand(pool) - redeemedAssets(shares, pool);
}

/** AVAX wei that are not staked, but at most what can be redeemed before the next sync. */
function atHand({ totalAssets, stakingTotalAssets, totalReleasedAssets }: PoolTotals): bigint {
  return smaller(totalAssets - stakingTotalAssets, totalReleasedAssets);
}

/**
 * Whether a request can no longer be claimed. Like the contract, counts pending requests, too
 * (`getExpiredRequestsCount`): even if AVAX came for one of them now, it could not be claimed (`canClaimRequest`).
 */
function isExpired({ expirationTime }: WithdrawRequest, { timestamp }: BlockRef): boolean {
  return timestamp >= expirationTime;
}
