import { Interface } from 'ethers';
import type { View } from '../chain/chain.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';
import { gettersOf } from './getters.ts';

const ABI = new Interface([
  'function getAllPendingRequests() view returns (uint256[])',
  'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds) request)',
]);

const readGetters = gettersOf({
  nextRequestId: 'uint256',
  totalAllocatedFunds: 'uint256',
  unstakeDelay: 'uint48',
  paused: 'bool',
  getPendingRequestsCount: 'uint256',
  getFulfilledRequestsCount: 'uint256',
});

/** The withdrawal queue at a glance: counts, AVAX wei set aside for fulfilled requests, delays in seconds. */
export function readWithdrawQueue({ runner, network }: View) {
  return readGetters(runner, network.withdrawQueue);
}

/** AVAX wei that the pending requests expect in all, or undefined where there is no queue. */
export async function readPendingAVAX({ runner, network }: View): Promise<bigint | undefined> {
  const queue = contractAt(runner, network.withdrawQueue, ABI);
  const ids = await ifAnswered<bigint[]>(queue('getAllPendingRequests'));
  const requests = ids && (await Promise.all(ids.map((id) => queue<{ expectedAssets: bigint }>('getRequestInfo', id))));
  return requests?.reduce((sum: bigint, { expectedAssets }) => sum + expectedAssets, 0n);
}
