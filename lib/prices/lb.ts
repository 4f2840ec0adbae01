import { answered, contractAt, ifAnswered } from '../chain/contract.ts';
import { unlessReverted } from '../runtime/if-known.ts';
import { range } from '../values/arrays.ts';
import { BPS, sum } from '../values/wad.ts';
import { type FoundPool, type PoolKind, priceScale } from './pool.ts';

export const LB_FACTORY_ABI = [
  'function getAllLBPairs(address, address) view returns ((uint16 binStep, address LBPair, bool createdByOwner, bool ignoredForRouting)[])',
] as const;
export const LB_PAIR_ABI = [
  'function getTokenX() view returns (address)',
  'function getActiveId() view returns (uint24)',
  'function getBinStep() view returns (uint16)',
  'function getReserves() view returns (uint128, uint128)',
  'function getBin(uint24 id) view returns (uint128, uint128)',
  'function getStaticFeeParameters() view returns (uint16 baseFactor)',
] as const;

const ONE_Q128 = 2n ** 128n;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Id of the bin whose price is exactly 1. */
const ID_OF_ONE = 2 ** 23;
/** Maximum number of bins that are read for a 2 % move. */
const MAX_BINS = 200;

/**
 * The price of a bin, token Y's base units for one of token X, as a 128.128 fixed-point number: (1 + binStep /
 * 10,000)^(id − 2^23), bit for bit as Uint128x128Math.pow of the Liquidity Book contracts.
 * @throws RangeError where the pair reverts, because the price is too far from 1 (PowUnderflow).
 */
export function binPrice(id: number, binStep: number): bigint {
  const exponent = id - ID_OF_ONE;
  if (exponent === 0) return ONE_Q128;
  let base = MAX_UINT256 / (ONE_Q128 + (BigInt(binStep) * ONE_Q128) / BPS);
  let result = ONE_Q128;
  for (let left = Math.abs(exponent); left > 0; left >>= 1) {
    if (left & 1) result = (result * base) >> 128n;
    base = (base * base) >> 128n;
  }
  if (result === 0n) throw new RangeError('PowUnderflow: the price of the bin is too far from 1');
  return exponent < 0 ? result : MAX_UINT256 / result;
}

/** Liquidity Book pools: the price is that of the active bin, exact to one bin step. */
export const lb: PoolKind = {
  async find({ runner }, factory, pair) {
    const { getAllLBPairs } = contractAt(factory.address, LB_FACTORY_ABI, runner);
    const listed = getAllLBPairs(pair.base.address, pair.quote.address);
    const addresses = await ifAnswered(listed.then((pairs) => pairs.map(({ LBPair }) => LBPair)));
    const pools = (addresses ?? []).map(async (address): Promise<FoundPool[]> => {
      const tokenX = await ifAnswered(contractAt(address, LB_PAIR_ABI, runner).getTokenX());
      if (tokenX === undefined) return [];
      return [{ pair, kind: 'lb', address, baseIsFirst: BigInt(tokenX) === BigInt(pair.base.address) }];
    });
    return (await Promise.all(pools)).flat();
  },

  async read({ runner }, pool) {
    const { pair, baseIsFirst } = pool;
    const contract = contractAt(pool.address, LB_PAIR_ABI, runner);
    const state = await answered({
      id: contract.getActiveId(),
      binStep: contract.getBinStep(),
      reserves: contract.getReserves(),
      baseFactor: contract.getStaticFeeParameters(),
    });
    if (state.id === undefined || state.binStep === undefined || !state.reserves) return undefined;
    const [id, binStep] = [Number(state.id), Number(state.binStep)];
    const [reserveX, reserveY] = state.reserves;
    const price = unlessReverted(() => binPrice(id, binStep));
    if (price === undefined || (reserveX === 0n && reserveY === 0n)) return undefined;

    // Reserves may lie in far bins. Near the active one, bins hold X above it, and Y below it.
    const avaxIsX = (pair.avaxSide === 'base') === baseIsFirst;
    const reach = Math.min(MAX_BINS, Math.floor(Math.log(1.02) / Math.log1p(binStep / 10_000)));
    const bins = range(0, reach + 1).map((step) => (avaxIsX ? id + step : id - step));
    const held = await Promise.all(
      bins.map(async (bin) => {
        const amounts = await ifAnswered(contract.getBin(bin));
        return amounts?.[avaxIsX ? 0 : 1] ?? 0n;
      }),
    );

    const scale = priceScale(pair);
    return {
      pool,
      // baseFactor · binStep · 1e10, scaled by 1e18; the volatile part of the fee comes on top of it.
      fee: (state.baseFactor ?? 0n) * state.binStep * 10n ** 10n,
      price: baseIsFirst ? (price * scale) / ONE_Q128 : (ONE_Q128 * scale) / price,
      baseReserve: baseIsFirst ? reserveX : reserveY,
      quoteReserve: baseIsFirst ? reserveY : reserveX,
      depthAVAX: sum(held),
    };
  },
};
