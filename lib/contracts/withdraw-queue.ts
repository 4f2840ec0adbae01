import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';
import { gettersOf } from './getters.ts';
import { StructDecoder } from './struct.ts';

const ABI = new Abi([
  'function getAllPendingRequests() view returns (uint256[])',
  'function getAllFulfilledRequests() view returns (uint256[])',
  'function getRequestInfo(uint256 requestId) view returns (uint256)',
]);

const readGetters = gettersOf({
  nextRequestId: 'uint256',
  totalAllocatedFunds: 'uint256',
  unstakeDelay: 'uint48',
  MIN_EXPIRATION_DELAY: 'uint48',
  maxExpirationDelay: 'uint48',
  paused: 'bool',
  getPendingRequestsCount: 'uint256',
  getFulfilledRequestsCount: 'uint256',
});

/** The contract's `UnstakeRequest` struct: amounts in wei, times in unix seconds. */
const REQUEST = new StructDecoder({
  requester: 'address',
  shares: 'uint',
  expectedAssets: 'uint',
  requestTime: 'number',
  claimableTime: 'number',
  expirationTime: 'number',
  allocatedFunds: 'uint',
});

export type WithdrawRequest = ReturnType<(typeof REQUEST)['one']> & { requestId: number };

/** The contract's sets of open requests. What was claimed or cancelled is in neither, and its record is deleted. */
type RequestSet = 'getAllPendingRequests' | 'getAllFulfilledRequests';

/** The withdrawal queue at a glance: counts, AVAX wei set aside for fulfilled requests, delays in seconds. */
export function readWithdrawQueue({ runner, network }: View) {
  return readGetters(runner, network.withdrawQueue);
}

export type WithdrawQueue = Awaited<ReturnType<typeof readWithdrawQueue>>;

/** The requests of a set by their ids (the contract's own order is arbitrary), or undefined where there is no queue. */
export async function readWithdrawRequests(view: View, set: RequestSet): Promise<WithdrawRequest[] | undefined> {
  const { runner, network } = view;
  const ids = await ifAnswered<bigint[]>(contractAt(runner, network.withdrawQueue, ABI)(set));
  const readOne = async (id: bigint) => {
    const data = ABI.encode('getRequestInfo', [id]);
    return { requestId: Number(id), ...REQUEST.one(await runner.call({ to: network.withdrawQueue, data })) };
  };
  const requests = ids && (await Promise.all(ids.map(readOne)));
  return requests?.sort((a, b) => a.requestId - b.requestId);
}
