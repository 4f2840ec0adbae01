/** Figures about withdrawals of AVAX, each compared with the results of calls of the contracts. */

import { parseUnits } from 'ethers';
import { redeemedAssets } from '../../lib/rewards/gg-avax-shares.ts';
import { min } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { type Expected, firstItems, type Json, named, number, sumOf, tokens } from './figure.ts';

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
  const isFunded = allocatedFunds !== '0';
  const isExpired = status === 'expired';
  const method = isExpired ? 'reclaimExpiredRequest(uint256)' : 'cancelRequest(uint256)';
  const isAccepted = (await run('WithdrawQueue', method, requester, [requestId])) !== undefined;
  const assets = parseUnits(isFunded ? allocatedFunds : expectedAssets);
  const bought = isAccepted ? tokens(await read('TokenggAVAX', 'convertToShares', assets)) : undefined;
  const ifFunded = isExpired ? bought : undefined;
  return { cancelGgAvax: isExpired ? undefined : bought, expiryGgAvax: isFunded ? ifFunded : shares };
}

export const withdrawals: Expected = async (body, chain) => {
  const expect = async (request: Json) => {
    const record = await chain.read('WithdrawQueue', 'getRequestInfo', request.requestId);
    const isExpired = body.block.timestamp >= record.expirationTime;
    const promised = isExpired
      ? await chain.read('TokenggAVAX', 'convertToAssets', record.shares)
      : record.expectedAssets;
    return {
      ...named(record, tokens, 'shares', 'expectedAssets', 'allocatedFunds'),
      ...named(record, Number, 'requestTime', 'claimableTime', 'expirationTime'),
      avax: tokens(record.allocatedFunds || promised),
      ...(await returns(request, chain)),
    };
  };
  return { withdrawQueue: await queue(chain), requests: await firstItems(body.requests, expect) };
};

/** AVAX wei that are left in the pool for others, after all pending requests are served one after the other. */
async function leftAfter(requests: readonly Json[], { read }: ChainAt): Promise<bigint> {
  const view = (name: string): Promise<bigint> => read('TokenggAVAX', name);
  const [totalAssets, totalSupply] = [await view('totalAssets'), await view('totalSupply')];
  const idle = totalAssets - (await view('stakingTotalAssets'));
  const shares = requests.map(({ shares }) => shares);
  return min(idle, await view('totalReleasedAssets')) - redeemedAssets(shares, { totalAssets, totalSupply });
}

export const estimate: Expected = async (body, chain) => {
  const waiting = (await pendingIn(chain)) ?? [];
  const worth: bigint = await chain.read('TokenggAVAX', 'convertToAssets', parseUnits(body.ggAvax));
  const left = await leftAfter(waiting, chain);
  return {
    avax: tokens(worth),
    instantAVAX: tokens(left < 0n ? 0n : min(left, worth)),
    ahead: { requests: waiting.length, avax: tokens(sumOf(waiting, 'expectedAssets')) },
    redemption: await redemption(body, chain),
  };
};
