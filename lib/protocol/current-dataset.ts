import type { Dataset } from '../cache/dataset.ts';
import type { ChainContext, ProtocolState } from '../chain/chain.ts';
import { readWithdrawRequests, type WithdrawRequest } from '../contracts/withdraw-queue.ts';
import { type Overview, readOverview } from './overview.ts';

/** The protocol at a glance, and its open withdrawal requests; those are missing if the queue does not list them. */
export interface Current extends Overview {
  pending?: WithdrawRequest[] | undefined;
  fulfilled?: WithdrawRequest[] | undefined;
}

/**
 * Everything current and small, at one block: settings, supplies, cycle, pool and queue. Answers that use it within half a
 * minute agree with each other. The lists of stakers and minipools are not part of it: at Avalanche's size they are half a
 * megabyte, and need a second request to the chain.
 */
export const currentDataset: Dataset<Current, ChainContext> = {
  name: 'current',
  freshSeconds: 30,
  shared: true,
  read: async (context) => readCurrent(await context.chain.latest()),
};

export async function readCurrent(state: ProtocolState): Promise<Current> {
  const [overview, pending, fulfilled] = await Promise.all([
    readOverview(state),
    readWithdrawRequests(state, 'getAllPendingRequests'),
    readWithdrawRequests(state, 'getAllFulfilledRequests'),
  ]);
  return { ...overview, pending, fulfilled };
}
