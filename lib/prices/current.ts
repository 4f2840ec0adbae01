import type { View } from '../chain/chain.ts';
import type { Context } from '../context.ts';
import { ifAnswered } from '../contracts/answered.ts';
import { readExchangeRate } from '../contracts/gg-avax.ts';
import { type FeedPrice, readAvaxUsdFeed } from './chainlink.ts';
import { TRADER_JOE } from './exchanges.ts';
import { findPools, pricesOf, readPools } from './market.ts';
import type { Pool } from './pool.ts';

const POOLS_FRESH_SECONDS = 3_600;
/** A Chainlink round older than this, compared with the block, is not a price any more. */
const MAX_FEED_AGE_SECONDS = 3_600;

/** The pools as they were found within the last hour: they come rarely and never go, so not every price looks for them. */
export async function knownPools({ cache, chain }: Context): Promise<Pool[]> {
  const { value } = await cache.value('pools', { freshSeconds: POOLS_FRESH_SECONDS }, async () =>
    findPools(await chain.latest()),
  );
  return value;
}

export interface SourcedPrice {
  /** Scaled by 1e18. */
  price: bigint;
  source: string;
  /** Unix seconds. */
  updatedAt: number;
}

export interface BestPrices {
  avaxInUSD?: SourcedPrice | undefined;
  ggpInAVAX?: SourcedPrice | undefined;
  ggAvaxInAVAX?: SourcedPrice | undefined;
}

/**
 * The best price of each pair at the view's block. AVAX/USD: Chainlink while its round is at most an hour older than the
 * block, else the deepest AVAX/USDC pool of all exchanges. GGP/AVAX: Trader Joe, where GGP is traded. ggAVAX/AVAX: the rate
 * at which the protocol redeems it; a market may pay less.
 */
export async function readBestPrices(view: View, pools: readonly Pool[]): Promise<BestPrices> {
  const ggpPools = pools.filter(({ pair, exchange }) => pair.name === 'GGP/AVAX' && exchange === TRADER_JOE.code);
  const [block, feed, ggpStates, rate] = await Promise.all([
    view.block(),
    readAvaxUsdFeed(view),
    readPools(view, ggpPools),
    ifAnswered(readExchangeRate(view)),
  ]);
  const at = (price: bigint | undefined, source: string) =>
    price === undefined ? undefined : { price, source, updatedAt: block.timestamp };
  const fromChainlink = isRecent(feed, block.timestamp) && { ...feed, source: 'chainlink' };
  return {
    avaxInUSD: fromChainlink || (await readDeepestAvaxUsd(view, pools)),
    ggpInAVAX: at(pricesOf(ggpStates).ggpInAVAX, TRADER_JOE.code),
    ggAvaxInAVAX: at(rate, 'redemption-rate'),
  };
}

function isRecent(feed: FeedPrice | undefined, time: number): feed is FeedPrice {
  return feed !== undefined && time - feed.updatedAt <= MAX_FEED_AGE_SECONDS;
}

async function readDeepestAvaxUsd(view: View, pools: readonly Pool[]): Promise<SourcedPrice | undefined> {
  const [deepest] = await readPools(
    view,
    pools.filter(({ pair }) => pair.name === 'AVAX/USDC'),
  );
  if (!deepest) return undefined;
  return { price: deepest.price, source: deepest.pool.exchange, updatedAt: (await view.block()).timestamp };
}
