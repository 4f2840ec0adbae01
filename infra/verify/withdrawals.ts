/** Figures about withdrawals of AVAX, each compared with the results of calls of the contracts. */

import { parseUnits } from 'ethers';
import { redeemedAssets } from '../../lib/rewards/gg-avax-shares.ts';
import { min } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { type Expected, firstItems, type Json, named, number, sumOf, tokens } from './figure.ts';

/** A request, with its status and value (AVAX wei): its AVAX, else the promised AVAX or, once it has expired, that of its shares. */
async function requestAt(id: bigint, timestamp: number, { read }: ChainAt) {
  const record: Json = await read('WithdrawQueue', 'getRequestInfo', id);
  const { shares, expectedAssets, allocatedFunds, requestTime, claimableTime, expirationTime } = record;
  const isExpired = timestamp >= expirationTime;
  const status = isExpired ? 'expired' : allocatedFunds > 0n ? 'fulfilled' : 'pending';
  const promised: bigint = isExpired ? await read('TokenggAVAX', 'convertToAssets', shares) : expectedAssets;
  const worth: bigint = allocatedFunds || promised;
  return { id, status, shares, expectedAssets, allocatedFunds, requestTime, claimableTime, expirationTime, worth };
}

/** The open requests of an address. */
export async function requestsOf(address: string, timestamp: number, chain: ChainAt) {
  const ids: bigint[] = (await chain.read('WithdrawQueue', 'getRequestsByOwner', address, 0, 1_000)) ?? [];
  return Promise.all(ids.map((id) => requestAt(id, timestamp, chain)));
}

/** Pending withdrawals in the queue; undefined if the network has no queue. */
async function pendingIn({ read }: ChainAt): Promise<Json[] | undefined> {
  const ids: bigint[] | undefined = await read('WithdrawQueue', 'getAllPendingRequests');
  return ids && Promise.all(ids.map((id) => read('WithdrawQueue', 'getRequestInfo', id)));
}

export async function queue(chain: ChainAt): Promise<Json> {
  const view = (name: string) => chain.read('WithdrawQueue', name);
  const pending = await pendingIn(chain);
  return {
    pendingRequests: number(await view('getPendingRequestsCount'), 0),
    pendingAVAX: tokens(pending && sumOf(pending, 'expectedAssets')),
    fulfilledRequests: number(await view('getFulfilledRequestsCount'), 0),
    allocatedAVAX: tokens(await view('totalAllocatedFunds')),
  };
}

export async function redemption(body: Json, chain: ChainAt): Promise<Json> {
  return { availableAVAX: tokens(body.redemption?.open === false ? 0n : await liquidity(chain)) };
}

/** AVAX wei that redemptions can take out of the pool: the lower of its WAVAX and the released assets. */
export async function liquidity({ read, addressOf }: ChainAt): Promise<bigint> {
  const released: bigint = await read('TokenggAVAX', 'totalReleasedAssets');
  return min(released, await read('WAVAX', 'balanceOf', await addressOf('TokenggAVAX')));
}

/**
 * The redeemable ggAVAX of an address, and the AVAX that redeeming it pays. The amount in the answer is right if a wei more
 * is refused or above the balance.
 */
export async function ownRedemption({ redemption }: Json, address: string, balance: bigint, chain: ChainAt) {
  if (!redemption) return undefined;
  const redeem = (wei: bigint) => chain.run('TokenggAVAX', 'redeemAVAX(uint256)', address, [wei]);
  const shares = parseUnits(redemption.ggAvax);
  const paid = shares > 0n ? await redeem(shares) : 0n;
  const isMore = shares < balance && (await redeem(shares + 1n)) !== undefined;
  return { ggAvax: isMore ? 'more' : redemption.ggAvax, avax: tokens(paid) };
}

/** ggAVAX that a cancellation and the expiry of a request return, if the queue accepts them. */
async function returns(request: Json, { read, run }: ChainAt): Promise<Json> {
  const { status, requestId, requester, shares, expectedAssets, allocatedFunds } = request;
  const [isFunded, isExpired] = [allocatedFunds !== '0', status === 'expired'];
  const method = isExpired ? 'reclaimExpiredRequest(uint256)' : 'cancelRequest(uint256)';
  const isAccepted = (await run('WithdrawQueue', method, requester, [requestId])) !== undefined;
  const assets = parseUnits(isFunded ? allocatedFunds : expectedAssets);
  const bought = isAccepted ? tokens(await read('TokenggAVAX', 'convertToShares', assets)) : undefined;
  const ifFunded = isExpired ? bought : undefined;
  return { cancelGgAvax: isExpired ? undefined : bought, expiryGgAvax: isFunded ? ifFunded : shares };
}

export const withdrawals: Expected = async (body, chain) => {
  const expect = async (request: Json) => {
    const record = await requestAt(request.requestId, body.block.timestamp, chain);
    return {
      status: record.status,
      ...named(record, tokens, 'shares', 'expectedAssets', 'allocatedFunds'),
      ...named(record, Number, 'requestTime', 'claimableTime', 'expirationTime'),
      avax: tokens(record.worth),
      ...(await returns(request, chain)),
    };
  };
  return { withdrawQueue: await queue(chain), requests: await firstItems(body.requests, expect) };
};

export const estimate: Expected = async (body, chain) => {
  const waiting = (await pendingIn(chain)) ?? [];
  const worth: bigint = await chain.read('TokenggAVAX', 'convertToAssets', parseUnits(body.ggAvax));
  const view = (name: string): Promise<bigint> => chain.read('TokenggAVAX', name);
  const [totalAssets, totalSupply] = [await view('totalAssets'), await view('totalSupply')];
  const idle = min(totalAssets - (await view('stakingTotalAssets')), await view('totalReleasedAssets'));
  // All pending requests are served before, one after the other.
  const shares = waiting.map((request) => request.shares);
  const left = idle - redeemedAssets(shares, { totalAssets, totalSupply });
  return {
    avax: tokens(worth),
    instantAVAX: tokens(left < 0n ? 0n : min(left, worth)),
    ahead: { requests: waiting.length, avax: tokens(sumOf(waiting, 'expectedAssets')) },
    redemption: await redemption(body, chain),
  };
};
