import type { Pair, Pool } from '../../../lib/prices/pool.ts';
import { addresses, network } from '../../support/contracts.ts';

/** Pairs, and a pool at a fixed address. */

const token = (address: string, decimals = 18) => ({ address, decimals });
const wavax = token(network.wavax);

/** GGP's address is lower than WAVAX's, USDC's is higher. */
export const GGP_AVAX: Pair = { name: 'GGP/AVAX', base: token(addresses.TokenGGP), quote: wavax, avaxSide: 'quote' };
export const AVAX_USDC: Pair = {
  name: 'AVAX/USDC',
  base: wavax,
  quote: token('0xdC64a140Aa3E981100a9becA4E685f962f0cF6C9', 6),
  avaxSide: 'base',
};

export const POOL = '0x3000000000000000000000000000000000000003';

export function poolOf(kind: Pool['kind'], pair: Pair, baseIsFirst: boolean): Pool {
  return { exchange: 'tj', kind, address: POOL, pair, baseIsFirst };
}
