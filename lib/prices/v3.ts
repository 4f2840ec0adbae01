import { BaseContract, type FunctionFragment, ZeroAddress } from 'ethers';
import { answered, contractAt, ifAnswered, parseInterface, type Runner } from '../chain/contract.ts';
import type { Factory } from './exchanges.ts';
import { depthOf, type FoundPool, type PoolKind, priceScale, sortsBefore, toAvax } from './pool.ts';

export const V3_POOL_ABI = [
  'function liquidity() view returns (uint128)',
  // The present fee, if the pool's fee changes.
  'function fee() view returns (uint24)',
] as const;
export const TOKEN_ABI = ['function balanceOf(address) view returns (uint256)'] as const;

const Q96 = 2n ** 96n;
const Q192 = 2n ** 192n;
/** `fee()` is in hundredths of a bip. */
const FEE_TO_WAD = 10n ** 12n;

const SLOT0 = ['function slot0() view returns (uint160 sqrtPriceX96, int24 tick)'] as const;

/**
 * The two calls in which exchanges with Uniswap V3's maths differ: a pool's address from the factory (the zero address if
 * there is none), and its state. Only the first fields of the state are read: the others differ between forks and versions.
 */
export const V3_ABIS = {
  fee: { factory: ['function getPool(address, address, uint24 fee) view returns (address)'], pool: SLOT0 },
  tickSpacing: { factory: ['function getPool(address, address, int24) view returns (address)'], pool: SLOT0 },
  /** Algebra Integral: tiers are the contracts that created the pools. https://github.com/cryptoalgebra/Algebra */
  deployer: {
    factory: ['function customPoolByPair(address deployer, address, address) view returns (address)'],
    pool: ['function globalState() view returns (uint160 price, int24 tick)'],
  },
} as const;

/** Calls the only function of an ABI: by its name, as ethers parses a signature anew several times for each call. */
function callOnly(runner: Runner, address: string, abi: readonly string[], ...args: unknown[]) {
  const contract = new BaseContract(address, parseInterface(abi), runner);
  const [only] = contract.interface.fragments as [FunctionFragment];
  return contract.getFunction(only.name)(...args);
}

/** Concentrated-liquidity pools: price of token0 in token1 = (sqrtPriceX96 / 2^96)². */
export const v3: PoolKind<Extract<Factory, { kind: 'v3' }>> = {
  async find({ runner }, { address, key, tiers }, pair) {
    const tokens = [pair.base.address, pair.quote.address];
    const pools = tiers.map(async (tier): Promise<FoundPool[]> => {
      const args = key === 'deployer' ? [tier, ...tokens] : [...tokens, tier];
      const pool = await ifAnswered<string>(callOnly(runner, address, V3_ABIS[key].factory, ...args));
      if (!pool || pool === ZeroAddress) return [];
      const baseIsFirst = sortsBefore(pair.base, pair.quote);
      return [{ pair, kind: 'v3', address: pool, baseIsFirst, key }];
    });
    return (await Promise.all(pools)).flat();
  },

  async read({ runner }, pool) {
    const { pair, baseIsFirst, key = 'fee' } = pool;
    const contract = contractAt(pool.address, V3_POOL_ABI, runner);
    const state = await answered({
      /** Square root of the price of token0 in token1, times 2^96 (Q96); 0 before the first position. */
      sqrtPrice: callOnly(runner, pool.address, V3_ABIS[key].pool).then(([price]) => price as bigint),
      liquidity: contract.liquidity(),
      fee: contract.fee(),
      baseReserve: contractAt(pair.base.address, TOKEN_ABI, runner).balanceOf(pool.address),
      quoteReserve: contractAt(pair.quote.address, TOKEN_ABI, runner).balanceOf(pool.address),
    });
    const { sqrtPrice, liquidity, fee = 0n, baseReserve = 0n, quoteReserve = 0n } = state;
    if (!sqrtPrice || !liquidity) return undefined;
    const square = sqrtPrice * sqrtPrice;
    // Amounts in a full-range pool of this liquidity at this price: L / √P of token0, L · √P of token1.
    const avaxIsFirst = (pair.avaxSide === 'base') === baseIsFirst;
    const avaxInRange = avaxIsFirst ? (liquidity * Q96) / sqrtPrice : (liquidity * sqrtPrice) / Q96;
    return {
      pool,
      fee: fee * FEE_TO_WAD,
      price: baseIsFirst ? (square * priceScale(pair)) / Q192 : (Q192 * priceScale(pair)) / square,
      baseReserve,
      quoteReserve,
      depthAVAX: depthOf(avaxInRange, toAvax(pair, baseReserve, quoteReserve)),
    };
  },
};
