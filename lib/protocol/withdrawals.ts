import type { BlockRef } from '../block.ts';
import { ifAnswered } from '../chain/answered.ts';
import { type PoolTotals, readTotals } from '../contracts/gg-avax.ts';
import {
  readWithdrawQueue,
  readWithdrawRequests,
  type WithdrawQueue,
  type WithdrawRequest,
} from '../contracts/withdraw-queue.ts';
import type { Dataset } from '../dataset.ts';
import { ApiError } from '../http/errors.ts';
import { redeemedAssets } from '../rewards/gg-avax.ts';

export const WITHDRAWAL_STATUSES = ['pending', 'fulfilled', 'expired'] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** An open request, and what has become of it by the block's time. */
export interface Withdrawal extends WithdrawRequest {
  status: WithdrawalStatus;
}

/** The pool that has to serve the queue. */
export interface QueuedPool extends PoolTotals {
  /** AVAX wei at hand when the pending requests have been served, below 0 where it is not enough for them. */
  leftAssets: bigint;
}

/** The withdrawal queue at one block: open requests by their ids. Without a queue there are none, and nothing is known of it. */
export interface Withdrawals {
  block: BlockRef;
  /** Missing where there is no pool. */
  pool?: QueuedPool | undefined;
  queue: WithdrawQueue;
  /** AVAX wei that the pending requests expect in all. */
  pendingAVAX?: bigint | undefined;
  requests: Withdrawal[];
}

export const withdrawalsDataset: Dataset<Withdrawals> = {
  name: 'withdrawals',
  version: 3,
  freshSeconds: 30,
  async read({ chain }) {
    const view = await chain.latest('withdrawals');
    const [pool, queue, pending, fulfilled, block] = await Promise.all([
      ifAnswered(readTotals(view)),
      readWithdrawQueue(view),
      readWithdrawRequests(view, 'getAllPendingRequests'),
      readWithdrawRequests(view, 'getAllFulfilledRequests'),
      view.block(),
    ]);
    // A queue that is there and does not list its requests has become another one: that is no empty list.
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

/** AVAX wei that these requests expect in all. */
export function expectedAssetsOf(requests: readonly WithdrawRequest[]): bigint {
  return requests.reduce((sum, { expectedAssets }) => sum + expectedAssets, 0n);
}

/**
 * AVAX wei at hand when these requests have been served. Serving one redeems all of its shares: what they bring beside the AVAX that
 * was promised is yield of the next stream.
 */
function leftAfter(requests: readonly WithdrawRequest[], pool: PoolTotals): bigint {
  const shares = requests.map((request) => request.shares);
  return atHand(pool) - redeemedAssets(shares, pool);
}

/** What is not staked, and no more than what can be redeemed before the next sync. */
function atHand({ totalAssets, stakingTotalAssets, totalReleasedAssets }: PoolTotals): bigint {
  const notStaked = totalAssets - stakingTotalAssets;
  if (notStaked > totalReleasedAssets) return totalReleasedAssets;
  return notStaked;
}

/**
 * Whether a request can no longer be claimed. The contract counts pending requests too (`getExpiredRequestsCount`): AVAX that
 * came for one of them now could not be claimed either (`canClaimRequest`).
 */
function isExpired({ expirationTime }: WithdrawRequest, { timestamp }: BlockRef): boolean {
  return timestamp >= expirationTime;
}
