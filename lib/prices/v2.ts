import { ZeroAddress } from 'ethers';
import { contractAt, ifAnswered } from '../chain/contract.ts';
import { depthOf, type PoolKind, priceScale, sortsBefore, toAvax } from './pool.ts';

export const V2_FACTORY_ABI = ['function getPair(address, address) view returns (address)'] as const;
export const V2_PAIR_ABI = ['function getReserves() view returns (uint112, uint112, uint32)'] as const;

/** Trader Joe V1 and Pangolin V2 take 0.3 % of each swap, fixed in the code of the pair. */
const FEE = 3n * 10n ** 15n;

/** Constant-product pools: price = quote reserve / base reserve. */
export const v2: PoolKind = {
  async find({ runner }, factory, pair) {
    const { getPair } = contractAt(factory.address, V2_FACTORY_ABI, runner);
    const address = await ifAnswered(getPair(pair.base.address, pair.quote.address));
    if (!address || address === ZeroAddress) return [];
    return [{ pair, kind: 'v2', address, baseIsFirst: sortsBefore(pair.base, pair.quote) }];
  },

  async read({ runner }, pool) {
    const reserves = await ifAnswered(contractAt(pool.address, V2_PAIR_ABI, runner).getReserves());
    if (!reserves) return undefined;
    const [baseReserve, quoteReserve] = pool.baseIsFirst ? reserves : [reserves[1], reserves[0]];
    if (baseReserve === 0n || quoteReserve === 0n) return undefined;
    return {
      pool,
      fee: FEE,
      price: (quoteReserve * priceScale(pool.pair)) / baseReserve,
      baseReserve,
      quoteReserve,
      depthAVAX: depthOf(toAvax(pool.pair, baseReserve, quoteReserve)),
    };
  },
};
