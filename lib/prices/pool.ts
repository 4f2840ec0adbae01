import type { ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered } from '../chain/contract.ts';
import { min, mulWad } from '../values/wad.ts';
import type { Factory, V3Key } from './exchanges.ts';

export const PAIR_NAMES = ['GGP/AVAX', 'ggAVAX/AVAX', 'ggAVAX/sAVAX', 'AVAX/USDC'] as const;

export interface Token {
  address: string;
  decimals: number;
}

/**
 * Two tokens that the API quotes: the price is quote tokens for one base token. One of the two is always WAVAX or, in its
 * place, sAVAX. sAVAX has its own rate in AVAX.
 */
export interface Pair {
  name: (typeof PAIR_NAMES)[number];
  base: Token;
  quote: Token;
  avaxSide: 'base' | 'quote';
  inSAvax?: true;
}

export interface Pool {
  /** Code of the pool's exchange. */
  exchange: string;
  pair: Pair;
  kind: Factory['kind'];
  address: string;
  /** True if the base token is the pool's first token (token0, token X). */
  baseIsFirst: boolean;
  /** The dialect of a V3 pool. */
  key?: V3Key;
}

export type FoundPool = Omit<Pool, 'exchange'>;

export interface PoolState {
  pool: Pool;
  /** AVAX wei for 1e36 wei of sAVAX at that block, if the rate is known and the pair is in sAVAX. */
  rate?: bigint | undefined;
  /** Fee of a swap, as a fraction scaled by 1e18. */
  fee: bigint;
  /** Quote tokens for one base token, scaled by 1e18. */
  price: bigint;
  /** Amount of the base token in the pool, in base units. `quoteReserve`: amount of the quote token. */
  baseReserve: bigint;
  quoteReserve: bigint;
  /** AVAX wei, or sAVAX, that trading takes out of the pool before the price has moved by 2 %. */
  depthAVAX: bigint;
}

export interface PoolKind<F extends Factory = Factory> {
  find(state: ProtocolState, factory: F, pair: Pair): Promise<FoundPool[]>;
  /** The state, or undefined if the pool has no liquidity to take a price from. */
  read(state: ProtocolState, pool: Pool): Promise<PoolState | undefined>;
}

/** 1 − 1/√1.02 (1e18 = 1): the part of the tokens in range that leaves a constant-product pool in a price move of 2 %. */
const PART_FOR_2_PERCENT = 9_852_457_023_325_690n;

/** AVAX wei that a 2 % move takes out, at most the reserve: liquidity may lie in a range narrower than 2 %. */
export function depthOf(avaxInRange: bigint, avaxReserve: bigint = avaxInRange): bigint {
  return min(avaxReserve, mulWad(avaxInRange, PART_FOR_2_PERCENT));
}

export function toAvax({ avaxSide }: Pair, baseAmount: bigint, quoteAmount: bigint): bigint {
  return avaxSide === 'base' ? baseAmount : quoteAmount;
}

/** Value of a pool's other token (not AVAX or sAVAX) in AVAX or sAVAX, at the pool's own price, rounded down. */
export function otherInAVAX({ pool: { pair }, price, baseReserve, quoteReserve }: PoolState): bigint {
  const scale = priceScale(pair);
  return pair.avaxSide === 'quote' ? (baseReserve * price) / scale : (quoteReserve * scale) / price;
}

/** True if amounts of a pool's AVAX side have a known value in AVAX. */
export function isValued({ pool: { pair }, rate }: PoolState): boolean {
  return !pair.inSAvax || rate !== undefined;
}

/** Converts an amount of a pool's AVAX side, or a price in it, to AVAX. Requires {@link isValued} of the pool. */
export function inAVAX({ rate }: Pick<PoolState, 'rate'>, amount: bigint): bigint {
  return rate === undefined ? amount : (amount * rate) / RATE_SHARES;
}

/** Factor from a ratio of base units to a price scaled by 1e18: 10^(18 + base decimals − quote decimals). */
export function priceScale({ base, quote }: Pair): bigint {
  return 10n ** BigInt(18 + base.decimals - quote.decimals);
}

/** The order in which V2 and V3 pools keep their tokens. */
export function sortsBefore(a: Token, b: Token): boolean {
  return BigInt(a.address) < BigInt(b.address);
}

/** BENQI's staked AVAX. https://github.com/Benqi-fi/BENQI-Smart-Contracts/blob/master/sAVAX/StakedAvax.sol */
export const SAVAX_ABI = ['function getPooledAvaxByShares(uint256 shareAmount) view returns (uint256)'] as const;

/** Shares (wei) in a request for the rate: so many that the answer gives the value of any amount to the wei. */
const RATE_SHARES = 10n ** 36n;

/** AVAX wei for 1e36 wei of sAVAX. Undefined if its contract does not answer: a rate of 1 would be wrong. */
export async function readSAvaxRate({ runner, network }: ProtocolState): Promise<bigint | undefined> {
  if (!network.sAvax) return undefined;
  const { getPooledAvaxByShares } = contractAt(network.sAvax, SAVAX_ABI, runner);
  return (await ifAnswered(getPooledAvaxByShares(RATE_SHARES))) || undefined;
}
