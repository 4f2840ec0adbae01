/** Differences between exchanges with Uniswap V3's maths: finding a pool, and reading its price. */

import { contractAt, type Runner } from '../chain/contract.ts';
import type { V3Key, V3Tier } from './exchanges.ts';
import type { Pair } from './pool.ts';

interface Dialect {
  /** Address of the pool, as the factory answers. The zero address if there is no such pool. */
  getPool(runner: Runner, factory: string, pair: Pair, tier: V3Tier): Promise<string>;
  /** Square root of the price of token0 in token1, in Q96; 0 before the first position. */
  readSqrtPrice(runner: Runner, pool: string): Promise<bigint>;
}

/** ABIs by key. Only the first fields of a pool's state are read; the others differ between forks and versions. */
export const V3_ABIS = {
  fee: {
    factory: ['function getPool(address, address, uint24 fee) view returns (address)'],
    pool: ['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'],
  },
  tickSpacing: {
    factory: ['function getPool(address, address, int24 tickSpacing) view returns (address)'],
    pool: ['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'],
  },
  deployer: {
    factory: ['function customPoolByPair(address deployer, address, address) view returns (address)'],
    pool: ['function globalState() view returns (uint160 price, int24 tick)'],
  },
} as const;

/** Dialect of Uniswap and Ramses: tiers are numbers. */
function uniswapLike({ factory, pool }: (typeof V3_ABIS)['fee' | 'tickSpacing']): Dialect {
  return {
    getPool: (runner, address, { base, quote }, tier) =>
      contractAt(address, factory, runner).getPool(base.address, quote.address, BigInt(tier)),
    readSqrtPrice: async (runner, address) => (await contractAt(address, pool, runner).slot0())[0],
  };
}

/** Dialect of Algebra Integral: tiers are the contracts that created the pools. https://github.com/cryptoalgebra/Algebra */
const algebra: Dialect = {
  getPool: (runner, factory, { base, quote }, deployer) =>
    contractAt(factory, V3_ABIS.deployer.factory, runner).customPoolByPair(
      String(deployer),
      base.address,
      quote.address,
    ),
  readSqrtPrice: async (runner, pool) => (await contractAt(pool, V3_ABIS.deployer.pool, runner).globalState())[0],
};

export const DIALECTS = {
  fee: uniswapLike(V3_ABIS.fee),
  tickSpacing: uniswapLike(V3_ABIS.tickSpacing),
  deployer: algebra,
} satisfies Record<V3Key, Dialect>;
