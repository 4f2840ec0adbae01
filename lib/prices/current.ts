/**
 * `lib/prices`: prices from the pools of exchanges and from Chainlink's feeds. `readBestPrices` reads the best of them.
 * `exchanges.ts` lists the exchanges; `v2.ts`, `v3.ts` and `lb.ts` read the three kinds of pools.
 */

import { type Dataset, readDataset } from '../cache/cache.ts';
import type { ChainContext, ProtocolState } from '../chain/chain.ts';
import { ifAnswered } from '../chain/contract.ts';
import { readExchangeRate } from '../contracts/gg-avax.ts';
import type { BlockRef } from '../values/block.ts';
import { type FeedPrice, readFeed } from './chainlink.ts';
import { TRADER_JOE } from './exchanges.ts';
import { readAllStates, readPoolStates, readPools } from './market.ts';
import type { Pool, PoolState } from './pool.ts';

const poolsDataset: Dataset<Pool[], ChainContext> = {
  name: 'pools',
  freshSeconds: 3_600,
  shared: true,
  read: async (context) => readPools(await context.chain.latest()),
};

/** The pools, as found within the last hour: new pools are rare, and pools never disappear. */
export async function readCachedPools(context: ChainContext): Promise<Pool[]> {
  return (await readDataset(context, poolsDataset)).value;
}

/** All pools of an exchange that have a price, including pools quoted in sAVAX of unknown rate. */
export function marketDataset(code: string): Dataset<Awaited<ReturnType<typeof readMarket>>, ChainContext> {
  return { name: `market/${code}`, freshSeconds: 15, shared: true, read: (context) => readMarket(context, code) };
}

async function readMarket(context: ChainContext, code: string) {
  const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
  const own = pools.filter(({ exchange }) => exchange === code);
  const [states, euro, block] = await Promise.all([
    readAllStates(state, own),
    readFeed(state, 'eurUsdFeed'),
    state.block(),
  ]);
  /** The price of the euro is the only one that is not the exchange's. */
  return { states, eurInUSD: euro?.price, block };
}

export type SourcedPrice = FeedPrice & { source: string };

export type BestPrices = {
  [Name in 'avaxInUSD' | 'ggpInAVAX' | 'ggAvaxInAVAX' | 'eurInUSD']?: SourcedPrice | undefined;
};

interface PriceSources {
  block: BlockRef;
  feed: FeedPrice | undefined;
  euro: FeedPrice | undefined;
  /** AVAX wei for one whole ggAVAX. */
  rate: bigint | undefined;
  /** Pools, the most significant first. */
  states: readonly PoolState[];
}

/**
 * The best price of each pair. AVAX/USD: Chainlink while its round is at most an hour older than the block, else the
 * most significant AVAX/USDC pool of all exchanges. GGP/AVAX: Trader Joe's V1 pair, where GGP is traded. ggAVAX/AVAX:
 * the rate at which the protocol redeems it; a market may pay less. EUR/USD: Chainlink while its round is at most four days
 * older than the block.
 */
export function bestPrices({ block, feed, euro, rate, states }: PriceSources): BestPrices {
  const at = (price: bigint | undefined, source: string) =>
    price === undefined ? undefined : { price, source, updatedAt: block.timestamp };
  const deepest = states.find(({ pool }) => isAvaxUsd(pool));
  return {
    avaxInUSD: feed ? { ...feed, source: 'chainlink' } : deepest && at(deepest.price, deepest.pool.exchange),
    ggpInAVAX: at(states.find(({ pool }) => isGGPMarket(pool))?.price, TRADER_JOE.code),
    ggAvaxInAVAX: at(rate, 'redemption-rate'),
    eurInUSD: euro && { ...euro, source: 'chainlink' },
  };
}

/** The best prices at the state's block. The AVAX/USDC pools are only read when the feed is too old. */
export async function readBestPrices(state: ProtocolState, pools: readonly Pool[]): Promise<BestPrices> {
  const read = (wanted: (pool: Pool) => boolean) => readPoolStates(state, pools.filter(wanted));
  const [block, feed, euro, ggpMarket, rate] = await Promise.all([
    state.block(),
    readFeed(state, 'avaxUsdFeed'),
    readFeed(state, 'eurUsdFeed'),
    read(isGGPMarket),
    ifAnswered(readExchangeRate(state)),
  ]);
  const states = feed ? ggpMarket : [...ggpMarket, ...(await read(isAvaxUsd))];
  return bestPrices({ block, feed, euro, rate, states });
}

/** True for Trader Joe's V1 pair. A Liquidity Book pool of GGP may hold more AVAX, and yet have any price its owner sets. */
function isGGPMarket({ pair, exchange, kind }: Pool): boolean {
  return pair.name === 'GGP/AVAX' && exchange === TRADER_JOE.code && kind === 'v2';
}

function isAvaxUsd({ pair }: Pool): boolean {
  return pair.name === 'AVAX/USDC';
}
