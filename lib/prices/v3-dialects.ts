/** Differences between exchanges with Uniswap V3's maths: finding a pool, reading its price, and quoting a trade. */

import { contractAt, type Runner } from '../chain/contract.ts';
import type { V3Key, V3Tier } from './exchanges.ts';
import type { Pair } from './pool.ts';

/** A trade of `amount` base tokens (base units) that ends at a price. */
interface Trade {
  pair: Pair;
  tier: V3Tier;
  amount: bigint;
  lastSqrtPrice: bigint;
}

/** A quoter's answer: quote tokens (base units), and the square root of the price at the end of the trade. */
type Quoted = readonly [out: bigint, sqrtPriceAfter: bigint];

interface Dialect {
  /** Address of the pool, as the factory answers. The zero address if there is no such pool. */
  getPool(runner: Runner, factory: string, pair: Pair, tier: V3Tier): Promise<string>;
  /** Square root of the price of token0 in token1, in Q96; 0 before the first position. */
  readSqrtPrice(runner: Runner, pool: string): Promise<bigint>;
  /** Simulates the trade: the quoter makes it and reverts. Rejects if the pool has none of the tokens. */
  quote(runner: Runner, quoter: string, trade: Trade, gasLimit: number): Promise<Quoted>;
}

/** ABIs by key. Only the first fields of a pool's state are read; the others differ between forks and versions. */
export const V3_ABIS = {
  fee: {
    factory: ['function getPool(address, address, uint24 fee) view returns (address)'],
    pool: ['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'],
    quoter: [
      'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
    ],
  },
  tickSpacing: {
    factory: ['function getPool(address, address, int24 tickSpacing) view returns (address)'],
    pool: ['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'],
    quoter: [
      'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, int24 tickSpacing, uint160 sqrtPriceLimitX96) params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
    ],
  },
  deployer: {
    factory: ['function customPoolByPair(address deployer, address, address) view returns (address)'],
    pool: ['function globalState() view returns (uint160 price, int24 tick)'],
    quoter: [
      'function quoteExactInputSingle((address tokenIn, address tokenOut, address deployer, uint256 amountIn, uint160 limitSqrtPrice) params) returns (uint256 amountOut, uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate, uint16 fee)',
    ],
  },
} as const;

/** Dialect of Uniswap and Ramses: tiers are numbers. */
function uniswapLike({ factory, pool, quoter }: (typeof V3_ABIS)['fee' | 'tickSpacing']): Dialect {
  return {
    getPool: (runner, address, { base, quote }, tier) =>
      contractAt(address, factory, runner).getPool(base.address, quote.address, BigInt(tier)),
    readSqrtPrice: async (runner, address) => (await contractAt(address, pool, runner).slot0())[0],
    async quote(runner, address, { pair, tier, amount, lastSqrtPrice }, gasLimit) {
      const [tokenIn, tokenOut, width] = [pair.base.address, pair.quote.address, BigInt(tier)];
      const trade = { tokenIn, tokenOut, amountIn: amount, sqrtPriceLimitX96: lastSqrtPrice };
      const asked = { ...trade, fee: width, tickSpacing: width };
      const { quoteExactInputSingle } = contractAt(address, quoter, runner);
      const [out, sqrtPriceAfter] = await quoteExactInputSingle.staticCall(asked, { gasLimit });
      return [out, sqrtPriceAfter];
    },
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
  async quote(runner, quoter, { pair, tier, amount, lastSqrtPrice }, gasLimit) {
    const [tokenIn, tokenOut] = [pair.base.address, pair.quote.address];
    const asked = { tokenIn, tokenOut, deployer: String(tier), amountIn: amount, limitSqrtPrice: lastSqrtPrice };
    const { quoteExactInputSingle } = contractAt(quoter, V3_ABIS.deployer.quoter, runner);
    const [out, , sqrtPriceAfter] = await quoteExactInputSingle.staticCall(asked, { gasLimit });
    return [out, sqrtPriceAfter];
  },
};

export const DIALECTS = {
  fee: uniswapLike(V3_ABIS.fee),
  tickSpacing: uniswapLike(V3_ABIS.tickSpacing),
  deployer: algebra,
} satisfies Record<V3Key, Dialect>;
