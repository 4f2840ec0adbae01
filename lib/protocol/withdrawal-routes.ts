/** The ways to turn an amount of ggAVAX into AVAX at one block. Amounts in wei, times in unix seconds. */

import type { PoolRedemption, RedemptionRefusal } from '../contracts/redemption.ts';
import type { WithdrawQueue } from '../contracts/withdraw-queue.ts';
import type { Quote, Sale } from '../prices/market.ts';
import { convertToAssets, sharesWithin } from '../rewards/gg-avax-shares.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { compareBigints, min } from '../values/wad.ts';
import type { QueuedPool, QueueService, Withdrawals } from './withdrawals.ts';

/** Redemption with the token's `redeemAVAX`: at once, at the redemption rate. */
export interface RedeemRoute {
  route: 'redeem';
  /** True if the chain accepts the redemption now, for all of the amount or a part. */
  available: boolean;
  /** The part of the amount (ggAVAX wei) that the pool can redeem. `assets` are the AVAX wei that it pays. */
  shares: bigint;
  assets: bigint;
  refusal?: Exclude<RedemptionRefusal, 'NO_BALANCE'> | undefined;
}

/** A request in the withdrawal queue, at today's redemption rate. Payment is not guaranteed. */
export interface QueueRoute {
  route: 'queue';
  available: boolean;
  assets: bigint;
  claimableTime?: number | undefined;
  expirationTime?: number | undefined;
  service: QueueService;
  refusal?: 'NO_QUEUE' | 'PAUSED' | undefined;
}

/** A sale on an exchange: at once, at the exchange's price. */
export interface MarketRoute {
  route: 'market';
  available: boolean;
  /** Codes of the exchanges that were asked. */
  asked: string[];
  best?: Quote | undefined;
  /** Discount from the value at the redemption rate, as a fraction (1e18 = 100 %). */
  discount?: bigint | undefined;
  refusal?: Sale['refusal'];
}

export type WithdrawalRoute = RedeemRoute | QueueRoute | MarketRoute;

/** Times at which a request that is made now is due and expires, unix seconds. Undefined without a queue. */
export function requestTimes({ timestamp }: BlockRef, { unstakeDelay, maxExpirationDelay }: WithdrawQueue) {
  const claimableTime = ifKnown((delay) => timestamp + Number(delay), unstakeDelay);
  return {
    claimableTime,
    expirationTime: ifKnown((time, delay) => time + Number(delay), claimableTime, maxExpirationDelay),
  };
}

interface RouteFacts {
  shares: bigint;
  pool: QueuedPool;
  withdrawals: Withdrawals;
  redemption: PoolRedemption;
  sale: Sale;
}

/** The routes for an amount of ggAVAX (wei), the best first. None for an amount of 0, or above the supply. */
export function routesFor(facts: RouteFacts): WithdrawalRoute[] {
  const { shares, pool } = facts;
  if (shares === 0n || shares > pool.totalSupply) return [];
  const routes: (WithdrawalRoute | undefined)[] = [redeemRoute(facts), queueRoute(facts), marketRoute(facts)];
  return routes.filter((route) => route !== undefined).sort(byMerit);
}

/** Sorts available routes first, a queue with overdue requests after the others, and then the route that pays more first. */
function byMerit(a: WithdrawalRoute, b: WithdrawalRoute): number {
  return (
    Number(b.available) - Number(a.available) ||
    Number(isUnserved(a)) - Number(isUnserved(b)) ||
    compareBigints(assetsOf(b), assetsOf(a))
  );
}

function isUnserved(route: WithdrawalRoute): boolean {
  return route.route === 'queue' && route.service.overdueRequests > 0;
}

function assetsOf(route: WithdrawalRoute): bigint {
  return route.route === 'market' ? (route.best?.assets ?? 0n) : route.assets;
}

/** The redemption route. Undefined if the chain's answer is not understood: then the API must not recommend it. */
function redeemRoute({ shares, pool, redemption: { open, liquid, refusal } }: RouteFacts): RedeemRoute | undefined {
  if (open === false) return { route: 'redeem', available: false, shares: 0n, assets: 0n, refusal };
  if (open === undefined || liquid === undefined) return undefined;
  const redeemable = min(shares, unlessReverted(() => sharesWithin(liquid, pool)) ?? 0n);
  const assets = convertToAssets(redeemable, pool);
  const isWhole = redeemable === shares;
  return {
    route: 'redeem',
    available: assets > 0n,
    shares: redeemable,
    assets,
    refusal: isWhole && assets > 0n ? undefined : 'NO_LIQUIDITY',
  };
}

function queueRoute({ shares, pool, withdrawals: { queue, service, block } }: RouteFacts): QueueRoute {
  const times = requestTimes(block, queue);
  const refusal = times.claimableTime === undefined ? 'NO_QUEUE' : queue.paused ? 'PAUSED' : undefined;
  const assets = convertToAssets(shares, pool);
  return { route: 'queue', available: !refusal, assets, ...times, service, refusal };
}

function marketRoute({ shares, pool, sale }: RouteFacts): MarketRoute {
  const { best } = sale;
  if (!best) return { route: 'market', available: false, ...sale };
  const value = convertToAssets(shares, pool);
  const discount = unlessReverted(() => ((value - best.assets) * 10n ** 18n) / value);
  return { route: 'market', available: true, ...sale, discount };
}
