import { getCreateAddress, parseUnits } from 'ethers';
import { type Contract, call, type Transaction } from '../chain.ts';
import { abiOf, executeAs } from '../protocol.ts';
import type { Stage } from './founding.ts';
import { bothSides, POOLS, type PoolFactory, type PoolPrices, type PoolRow, priceOf, targetOf } from './pools.ts';
import type { Random } from './random.ts';

/** The pools and the feed, all traded and priced by the Trader contract. */
export interface Exchanges {
  /** Transactions that create the pools of `day` at these prices and fund them from the Trader. */
  open(day: number, prices: PoolPrices): Transaction[];
  /** One transaction that moves every pool that exists on `day`, and the feed, near these prices. */
  move(day: number, prices: PoolPrices): Transaction;
}

type Pool = PoolRow & { contract: Contract };

const CREATE_FUNCTION = {
  V2Pair: 'createPair',
  LBPair: 'createLBPair',
  V3Pool: 'createPool',
  AlgebraPool: 'createCustomPool',
};
/** Bins with liquidity on either side of LB's first active bin: ±30 %. */
const LB_WIDTH = 130;
/** How far Chainlink typically is from the reference. */
const FEED_SPREAD = 0.001;

export function createExchanges({ artifacts, protocol, people: { keeper } }: Stage, random: Random): Exchanges {
  const { Trader, AvaxUsdFeed } = protocol;
  const created = new Map<PoolFactory, number>();
  const pools = POOLS.map((row): Pool => {
    const nonce = (created.get(row.factory) ?? 0) + 1;
    created.set(row.factory, nonce);
    const address = getCreateAddress({ from: protocol[row.factory].address, nonce });
    return { ...row, contract: { address, abi: abiOf(artifacts, row.kind) } };
  });

  const openPool = (pool: Pool, price: number): Transaction[] => {
    const { factory, kind, keys, contract } = pool;
    const tokens = [protocol[pool.base].address, protocol[pool.quote].address];
    const target = targetOf(pool, price);
    const [amount0, amount1] = bothSides(pool, price);
    const concentrated = ['initialize', target, (amount0 * target) / 2n ** 96n];
    const funding = {
      V2Pair: ['addLiquidity', amount0, amount1],
      LBPair: ['addLiquidity', LB_WIDTH, amount0, amount1],
      V3Pool: concentrated,
      AlgebraPool: concentrated,
    }[kind] as [string, ...unknown[]];
    const opening = {
      V2Pair: tokens,
      LBPair: [...tokens, target, ...keys],
      V3Pool: [...tokens, ...keys],
      AlgebraPool: [...keys, keeper, ...tokens, '0x'],
    }[kind];
    const [method, ...args] = funding;
    return [
      call(keeper, protocol[factory], CREATE_FUNCTION[kind], opening),
      call(keeper, Trader, 'addPool', [contract.address, ...tokens]),
      executeAs(protocol, keeper, contract, method, args),
    ];
  };

  const near = (price: number, spread: number) => {
    if (spread === 0) return price;
    const noise = Math.max(-2, Math.min(2, random.normal()));
    return price * (1 + spread * noise);
  };

  return {
    open: (day, prices) =>
      pools.filter(({ since }) => since === day).flatMap((pool) => openPool(pool, priceOf(pool, prices) ?? 1)),
    move(day, prices) {
      const targets = pools.map((pool) => {
        const price = priceOf(pool, prices);
        // Drawn for pools that do not exist yet, too, so that opening one does not shift the others' noise.
        const noisy = near(price ?? 1, pool.spread);
        return price === undefined || pool.since >= day ? 0n : targetOf(pool, noisy);
      });
      const answer = parseUnits(near(prices.avaxInUSD, FEED_SPREAD).toFixed(8), 8);
      return call(keeper, Trader, 'move', [targets, AvaxUsdFeed.address, answer]);
    },
  };
}
