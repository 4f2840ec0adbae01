import { ZeroAddress } from 'ethers';
import { answered, ifAnswered } from '../chain/answered.ts';
import { contractAt } from '../chain/contract.ts';
import type { Factory } from './exchanges.ts';
import { depthOf, type FoundPool, type PoolKind, priceScale, sortsBefore, toAvax } from './pool.ts';
import { DIALECTS } from './v3-dialects.ts';

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

/** Concentrated-liquidity pools: price of token0 in token1 = (sqrtPriceX96 / 2^96)². */
export const v3: PoolKind<Extract<Factory, { kind: 'v3' }>> = {
  async find({ runner }, { address, key, tiers }, pair) {
    const pools = tiers.map(async (tier): Promise<FoundPool[]> => {
      const pool = await ifAnswered(DIALECTS[key].getPool(runner, address, pair, tier));
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
      sqrtPrice: DIALECTS[key].readSqrtPrice(runner, pool.address),
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
