import type { Dataset, RequestContext } from '../cache/cache.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, toPoolTotals } from '../contracts/gg-avax.ts';
import { simulate } from '../contracts/simulate.ts';
import type { WithdrawRequest } from '../contracts/withdraw-queue.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { readPage } from '../ledger/page.ts';
import { convertToAssets, convertToShares, redeemedAssets } from '../rewards/gg-avax-shares.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifAvailable, unlessReverted } from '../runtime/if-known.ts';
import { min, sum } from '../values/wad.ts';
import { type Current, currentDataset, type Overview, readAt, readCurrent } from './protocol.ts';

export const WITHDRAWAL_STATUSES = ['pending', 'fulfilled', 'expired'] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export interface Withdrawal extends WithdrawRequest {
  status: WithdrawalStatus;
  /**
   * Value of the request in AVAX wei: its AVAX or, while it is pending, the promised AVAX. Once it has expired without AVAX:
   * the value of its shares, undefined if there is no pool.
   */
  assets: bigint | undefined;
  /** ggAVAX wei that `cancelRequest` returns now; undefined if it reverts. */
  cancelShares?: bigint | undefined;
  /** ggAVAX wei that `reclaimExpiredRequest` returns, now or once the request has expired; undefined if it reverts. */
  expiryShares?: bigint | undefined;
}

/** The withdrawal queue at one block, open requests by id. Without a queue, both `queue` and `requests` are empty. */
export type Withdrawals = Awaited<ReturnType<typeof readWithdrawals>>;

/** The time of the ledger's newest `unstakeFulfilled` entry. A separate dataset: the pool's answer needs no ledger. */
const lastFulfilmentDataset: Dataset<{ lastFulfilledTime: number | undefined }, LedgerContext> = {
  name: 'last-fulfilment',
  freshSeconds: 30,
  shared: true,
  read: async (context) => ({
    lastFulfilledTime: await ifAvailable(context, 'the last fulfilment of a withdrawal', async () => {
      const { entries } = await readPage(context.ledger, subjectOf.protocol, { type: ['unstakeFulfilled'], limit: 1 });
      return entries[0]?.timestamp;
    }),
  }),
};

/**
 * The queue, and what its requests return when they are cancelled or reclaimed: amounts are computed, and left out if the
 * simulation at the same block reverts. Throws UPSTREAM_UNAVAILABLE as {@link readWithdrawals} does, and if the provider does
 * not simulate.
 */
export const withdrawalsDataset: Dataset<Withdrawals, LedgerContext> = {
  name: 'withdrawals',
  freshSeconds: 30,
  shared: true,
  async read(context) {
    const cached = await readWithdrawals(context);
    const simulateCached = (state: ProtocolState) => simulateAll(state, cached);
    return readAt(context.chain, cached.block.number, simulateCached, async (state) =>
      simulateAll(state, await readWithdrawals(context, readCurrent(state, cached.requests))),
    );
  },
};

async function simulateAll(state: ProtocolState, { requests, ...queue }: Withdrawals): Promise<Withdrawals> {
  return { ...queue, requests: await Promise.all(requests.map((request) => simulateEnds(state, request))) };
}

/** The request without the amounts that the chain refuses to pay at the state's block. */
async function simulateEnds(state: ProtocolState, request: Withdrawal): Promise<Withdrawal> {
  const { requestId, requester, status, cancelShares, expiryShares } = request;
  const { chainId, withdrawQueue: contract } = state.network;
  const isRefused = async (signature: string) =>
    (await simulate(state, requester, { chainId, contract, signature, args: [requestId] })) === undefined;
  const [noCancel, noReclaim] = await Promise.all([
    cancelShares !== undefined && isRefused('cancelRequest(uint256)'),
    status === 'expired' && expiryShares !== undefined && isRefused('reclaimExpiredRequest(uint256)'),
  ]);
  return { ...request, ...(noCancel && { cancelShares: undefined }), ...(noReclaim && { expiryShares: undefined }) };
}

/**
 * Reads the withdrawal queue; nothing is simulated. `reading` defaults to the dataset of current values. Throws
 * UPSTREAM_UNAVAILABLE if the queue does not list its requests.
 */
export async function readWithdrawals(
  context: RequestContext<LedgerContext>,
  reading: Promise<Current> = context.dataset(currentDataset),
) {
  const [current, { lastFulfilledTime }] = await Promise.all([reading, context.dataset(lastFulfilmentDataset)]);
  const { block, queue, pending, fulfilled } = current;
  // A queue that answers but does not list its requests has become a different contract, not an empty list.
  if (Object.keys(queue).length > 0 && !(pending && fulfilled))
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The withdrawal queue did not list its requests.');
  const pool = toPoolTotals(current.pool);
  const requests = [...(pending ?? []), ...(fulfilled ?? [])].map((request) => withdrawalAt(request, current));
  const due = (pending ?? []).map(({ claimableTime }) => claimableTime).filter((time) => time <= block.timestamp);
  return {
    block,
    /** The queue's record of serving requests on time: the ledger's last one, and pending ones past `claimableTime`. */
    service: {
      lastFulfilledTime,
      overdueRequests: due.length,
      oldestOverdueTime: due.length > 0 ? Math.min(...due) : undefined,
    },
    /** With the AVAX wei left after serving the pending requests, negative if there is not enough. Undefined without a pool. */
    pool: pool && { ...pool, leftAssets: leftAfter(pending ?? [], pool) },
    queue,
    pendingAVAX: pending && expectedAssetsOf(pending),
    requests: requests.sort((a, b) => a.requestId - b.requestId),
  };
}

/**
 * The status and the returns of an open request at a block: it is fulfilled once it has AVAX. Sources:
 * `WithdrawQueue.cancelRequest`, `reclaimExpiredRequest`.
 */
export function withdrawalAt(
  request: WithdrawRequest,
  { block: { timestamp }, paused, queuedShares = 0n, ...overview }: Overview,
): Withdrawal {
  const { shares, expectedAssets, allocatedFunds, claimableTime, expirationTime } = request;
  const pool = toPoolTotals(overview.pool);
  // Like the contract's `getExpiredRequestsCount`, true without AVAX, too: it could not be claimed with AVAX.
  const expired = timestamp >= expirationTime;
  const bought = (assets: bigint) => (pool && unlessReverted(() => convertToShares(assets, pool))) || undefined;
  if (allocatedFunds > 0n) {
    // It can be cancelled until it is due, and reclaimed once it has expired. Both deposit the AVAX again, at today's rate.
    const deposited = paused.TokenggAVAX ? undefined : bought(allocatedFunds);
    return {
      ...request,
      status: expired ? 'expired' : 'fulfilled',
      assets: allocatedFunds,
      cancelShares: timestamp >= claimableTime ? undefined : deposited,
      expiryShares: expired ? deposited : undefined,
    };
  }
  // Cancelling returns what the promised AVAX buys at today's rate and burns the rest. If the rate has fallen, these are more
  // shares than the queue was given, and it has to hold as many.
  const returned = bought(expectedAssets);
  return {
    ...request,
    status: expired ? 'expired' : 'pending',
    assets: expired ? pool && convertToAssets(shares, pool) : expectedAssets,
    cancelShares: !expired && returned !== undefined && returned <= queuedShares ? returned : undefined,
    expiryShares: shares,
  };
}

export function expectedAssetsOf(requests: readonly WithdrawRequest[]): bigint {
  return sum(requests.map(({ expectedAssets }) => expectedAssets));
}

/**
 * AVAX wei left after serving these requests: of what is not staked, and at most what can be redeemed before the next sync.
 * Serving a request redeems all its shares. The AVAX that they pay beyond the promised amount goes into the next rewards
 * stream.
 */
function leftAfter(requests: readonly WithdrawRequest[], pool: PoolTotals): bigint {
  const { totalAssets, stakingTotalAssets, totalReleasedAssets } = pool;
  const shares = requests.map((request) => request.shares);
  return min(totalAssets - stakingTotalAssets, totalReleasedAssets) - redeemedAssets(shares, pool);
}
