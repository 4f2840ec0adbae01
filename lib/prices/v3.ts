import { ZeroAddress } from 'ethers';
import { answered, ifAnswered } from '../chain/answered.ts';
import { Contract } from '../chain/contract.ts';
import type { Factory } from './exchanges.ts';
import { avaxOf, depthOf, type FoundPool, type PoolKind, priceScale, sortsBefore } from './pool.ts';

/** Factories, by how they tell apart pools of the same two tokens. */
export const V3_FACTORY_ABIS = {
  fee: ['function getPool(address, address, uint24 fee) view returns (address)'],
  tickSpacing: ['function getPool(address, address, int24 tickSpacing) view returns (address)'],
} as const;
export const V3_POOL_ABI = [
  // The fields after these two differ between Uniswap and its forks.
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick)',
  'function liquidity() view returns (uint128)',
  'function fee() view returns (uint24)',
] as const;
export const TOKEN_ABI = ['function balanceOf(address) view returns (uint256)'] as const;

const Q96 = 2n ** 96n;
const Q192 = 2n ** 192n;
/** `fee()` is in hundredths of a bip. */
const FEE_TO_WAD = 10n ** 12n;

/** Concentrated-liquidity pools: price of token0 in token1 = (sqrtPriceX96 / 2^96)². */
export const v3: PoolKind<Extract<Factory, { kind: 'v3' }>> = {
  async find({ runner }, { address, key, tiers }, pair) {
    const factory = new Contract(address, V3_FACTORY_ABIS[key], runner);
    const pools = tiers.map(async (tier): Promise<FoundPool[]> => {
      const pool = await ifAnswered(factory.getPool(pair.base.address, pair.quote.address, tier));
      if (!pool || pool === ZeroAddress) return [];
      return [{ pair, kind: 'v3', address: pool, baseIsFirst: sortsBefore(pair.base, pair.quote) }];
    });
    return (await Promise.all(pools)).flat();
  },

  async read({ runner }, pool) {
    const { pair, baseIsFirst } = pool;
    const contract = new Contract(pool.address, V3_POOL_ABI, runner);
    const state = await answered({
      sqrtPrice: contract.slot0().then(([sqrtPrice]) => sqrtPrice),
      liquidity: contract.liquidity(),
      fee: contract.fee(),
      baseReserve: new Contract(pair.base.address, TOKEN_ABI, runner).balanceOf(pool.address),
      quoteReserve: new Contract(pair.quote.address, TOKEN_ABI, runner).balanceOf(pool.address),
    });
    const { sqrtPrice, liquidity, fee = 0n, baseReserve = 0n, quoteReserve = 0n } = state;
    if (!sqrtPrice || !liquidity) return undefined;
    const square = sqrtPrice * sqrtPrice;
    // What a full-range pool of this liquidity would hold at this price: L / √P of token0, L · √P of token1.
    const avaxIsFirst = (pair.avaxSide === 'base') === baseIsFirst;
    const avaxInRange = avaxIsFirst ? (liquidity * Q96) / sqrtPrice : (liquidity * sqrtPrice) / Q96;
    return {
      pool,
      fee: fee * FEE_TO_WAD,
      price: baseIsFirst ? (square * priceScale(pair)) / Q192 : (Q192 * priceScale(pair)) / square,
      baseReserve,
      quoteReserve,
      depthAVAX: depthOf(avaxInRange, avaxOf(pair, baseReserve, quoteReserve)),
    };
  },
};
