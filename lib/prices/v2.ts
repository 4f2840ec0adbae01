import { ZeroAddress } from 'ethers';
import { Abi } from '../contracts/abi.ts';
import { ifAnswered } from '../contracts/answered.ts';
import { contractAt } from '../contracts/contract.ts';
import { depthOf, type PoolKind, priceScale, sortsBefore } from './pool.ts';

const FACTORY_ABI = new Abi(['function getPair(address, address) view returns (address)']);
const PAIR_ABI = new Abi(['function getReserves() view returns (uint112, uint112, uint32)']);

/** Trader Joe V1 and Pangolin V2 take 0.3 % of each swap, fixed in the code of the pair. */
const FEE = 3n * 10n ** 15n;

/** Constant-product pools: price = quote reserve / base reserve. */
export const v2: PoolKind = {
  async find({ runner }, factory, pair) {
    const contract = contractAt(runner, factory.address, FACTORY_ABI);
    const address = await ifAnswered<string>(contract('getPair', pair.base.address, pair.quote.address));
    if (!address || address === ZeroAddress) return [];
    return [{ pair, kind: 'v2', address, baseIsFirst: sortsBefore(pair.base, pair.quote) }];
  },

  async read({ runner }, pool) {
    const contract = contractAt(runner, pool.address, PAIR_ABI);
    const reserves = await ifAnswered<[bigint, bigint]>(contract('getReserves'));
    if (!reserves) return undefined;
    const [baseReserve, quoteReserve] = pool.baseIsFirst ? reserves : [reserves[1], reserves[0]];
    if (baseReserve === 0n || quoteReserve === 0n) return undefined;
    return {
      pool,
      fee: FEE,
      price: (quoteReserve * priceScale(pool.pair)) / baseReserve,
      baseReserve,
      quoteReserve,
      depthAVAX: depthOf(pool.pair.avaxSide === 'base' ? baseReserve : quoteReserve),
    };
  },
};
