import { toBytes } from '../chain/abi-words.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered, readViews } from '../chain/contract.ts';
import { address, decodeStruct, number, uint } from './struct.ts';

/** Counts, AVAX wei set aside for fulfilled requests, delays in seconds. */
export const QUEUE_ABI = [
  'function totalAllocatedFunds() view returns (uint256)',
  'function unstakeDelay() view returns (uint48)',
  'function MIN_EXPIRATION_DELAY() view returns (uint48)',
  'function maxExpirationDelay() view returns (uint48)',
  'function paused() view returns (bool)',
  'function getPendingRequestsCount() view returns (uint256)',
  'function getFulfilledRequestsCount() view returns (uint256)',
] as const;

export const WITHDRAW_QUEUE_ABI = [
  'function getAllPendingRequests() view returns (uint256[])',
  'function getAllFulfilledRequests() view returns (uint256[])',
  'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
  'function getRequestsByOwner(address user, uint256 offset, uint256 limit) view returns (uint256[])',
] as const;

/** The contract's `UnstakeRequest` struct: amounts in wei, times in unix seconds. */
const FIELDS = {
  requester: address,
  shares: uint,
  expectedAssets: uint,
  requestTime: number,
  claimableTime: number,
  expirationTime: number,
  allocatedFunds: uint,
};

export type WithdrawRequest = ReturnType<typeof decodeStruct<typeof FIELDS>> & { requestId: number };

/** The withdrawal queue at a glance. */
export function readWithdrawQueue({ runner, network }: ProtocolState) {
  return readViews(network.withdrawQueue, QUEUE_ABI, runner);
}

export type WithdrawQueue = Awaited<ReturnType<typeof readWithdrawQueue>>;

/** Page size, above the number of open requests of any address. Others may open requests in an address's name. */
const OWN_REQUESTS_PAGE = 1_000;

/**
 * The requests of a set, sorted by id (the contract's own order is arbitrary), or undefined if no queue answers. Claimed,
 * cancelled and returned requests are in neither set, and their records are deleted.
 */
export async function readWithdrawRequests(
  state: ProtocolState,
  set: 'getAllPendingRequests' | 'getAllFulfilledRequests',
): Promise<WithdrawRequest[] | undefined> {
  const queue = contractAt(state.network.withdrawQueue, WITHDRAW_QUEUE_ABI, state.runner);
  const requests = await ifAnswered(queue[set]().then((ids) => readRequests(state, ids)));
  return requests?.sort((a, b) => a.requestId - b.requestId);
}

/** The open requests of an address; none if no queue answers. */
export async function readRequestsByOwner(state: ProtocolState, owner: string): Promise<WithdrawRequest[]> {
  const ids = await ifAnswered(readOwnedIds(state, owner));
  if (ids) return readRequests(state, ids);
  // An older queue does not list requests by owner.
  const sets = ['getAllPendingRequests', 'getAllFulfilledRequests'] as const;
  const all = await Promise.all(sets.map((set) => readWithdrawRequests(state, set)));
  return all.flatMap((requests = []) => requests.filter(({ requester }) => requester === owner.toLowerCase()));
}

async function readOwnedIds(state: ProtocolState, owner: string, offset = 0): Promise<readonly bigint[]> {
  const queue = contractAt(state.network.withdrawQueue, WITHDRAW_QUEUE_ABI, state.runner);
  const page = await queue.getRequestsByOwner(owner, offset, OWN_REQUESTS_PAGE);
  return page.length < OWN_REQUESTS_PAGE
    ? page
    : [...page, ...(await readOwnedIds(state, owner, offset + page.length))];
}

export function readRequests({ runner, network }: ProtocolState, ids: readonly (bigint | number)[]) {
  const to = network.withdrawQueue;
  const readOne = async (id: bigint | number): Promise<WithdrawRequest> => {
    const data = contractAt(to, WITHDRAW_QUEUE_ABI, runner).interface.encodeFunctionData('getRequestInfo', [id]);
    return { requestId: Number(id), ...decodeStruct(FIELDS, toBytes(await runner.call({ to, data }))) };
  };
  return Promise.all(ids.map(readOne));
}
