import type { ProtocolState } from '../chain/chain.ts';
import { min, mulWad } from '../values/wad.ts';
import type { Factory } from './exchanges.ts';
import { sAvaxInAVAX } from './savax.ts';
import type { V3Key, V3Tier } from './v3-dialects.ts';

export const PAIR_NAMES = ['GGP/AVAX', 'ggAVAX/AVAX', 'ggAVAX/sAVAX', 'AVAX/USDC'] as const;

export type PairName = (typeof PAIR_NAMES)[number];

export interface Token {
  address: string;
  decimals: number;
}

/**
 * Two tokens that the API quotes: the price is quote tokens for one base token. One of the two is always WAVAX, or sAVAX in its place,
 * which is worth AVAX at a rate of its own.
 */
export interface Pair {
  name: PairName;
  base: Token;
  quote: Token;
  avaxSide: 'base' | 'quote';
  inSAvax?: true;
}

/** A pool as its factory knows it. */
export interface FoundPool {
  pair: Pair;
  kind: Factory['kind'];
  address: string;
  /** Whether the base token is the pool's first one (token0, token X). */
  baseIsFirst: boolean;
  /** How the exchange quotes trades in a V3 pool. */
  quoter?: { address: string; key: V3Key; tier: V3Tier };
}

export interface Pool extends FoundPool {
  /** Code of the exchange it belongs to. */
  exchange: string;
}

/** A pool's state at one block. */
export interface PoolState {
  pool: Pool;
  /** AVAX wei for 1e36 wei of sAVAX at that block, if it is known and the pair is in sAVAX. */
  rate?: bigint | undefined;
  /** Fee of a swap, as a fraction scaled by 1e18. */
  fee: bigint;
  /** Quote tokens for one base token, scaled by 1e18. */
  price: bigint;
  /** What the pool holds, in the tokens' base units. */
  baseReserve: bigint;
  quoteReserve: bigint;
  /** AVAX wei, or sAVAX, that trading takes out of the pool before the price has moved by 2 %. */
  depthAVAX: bigint;
}

/** How one kind of pool is found and read. Both query the chain, so start several at once. */
export interface PoolKind<F extends Factory = Factory> {
  /** The pools of a pair; none is an ordinary answer. */
  find(state: ProtocolState, factory: F, pair: Pair): Promise<FoundPool[]>;
  /** The state, or undefined if the pool has no liquidity to take a price from. */
  read(state: ProtocolState, pool: Pool): Promise<PoolState | undefined>;
  /** Quote tokens that `amount` base tokens (base units) buy, all fees included; undefined if the pool cannot take so many. */
  quote(state: ProtocolState, pool: Pool, amount: bigint): Promise<bigint | undefined>;
}

/** Gas to reserve for a quote, which may cross many ticks, or 300 bins. */
export const QUOTE_GAS = 2_500_000;

/** 1 − 1/√1.02: the part of the tokens in range that leaves a constant-product pool while its price moves by 2 %. */
const PART_FOR_2_PERCENT = 9_852_457_023_325_690n;

/**
 * AVAX wei that a 2 % move takes out, given what is in range on the AVAX side, but at most what the pool has: its
 * liquidity may lie in a range much narrower than 2 %.
 */
export function depthOf(avaxInRange: bigint, avaxReserve: bigint = avaxInRange): bigint {
  return min(avaxReserve, mulWad(avaxInRange, PART_FOR_2_PERCENT));
}

/** Of a pair's two amounts, that of AVAX. */
export function avaxOf({ avaxSide }: Pair, baseAmount: bigint, quoteAmount: bigint): bigint {
  return avaxSide === 'base' ? baseAmount : quoteAmount;
}

/** What a pool holds of the token that is not AVAX or sAVAX, at its own price in that, rounded down. */
export function otherInAVAX({ pool: { pair }, price, baseReserve, quoteReserve }: PoolState): bigint {
  const scale = priceScale(pair);
  return pair.avaxSide === 'quote' ? (baseReserve * price) / scale : (quoteReserve * scale) / price;
}

/** Whether amounts of a pool's AVAX side are worth a known amount of AVAX. */
export function isValued({ pool: { pair }, rate }: PoolState): boolean {
  return !pair.inSAvax || rate !== undefined;
}

/** What an amount of a pool's AVAX side, or a price in it, is in AVAX; the pool {@link isValued}. */
export function inAVAX({ rate }: Pick<PoolState, 'rate'>, amount: bigint): bigint {
  return rate === undefined ? amount : sAvaxInAVAX(amount, rate);
}

/** 10^(18 + base decimals − quote decimals): turns a ratio of base units into a price scaled by 1e18. */
export function priceScale({ base, quote }: Pair): bigint {
  return 10n ** BigInt(18 + base.decimals - quote.decimals);
}

/** Whether `a` sorts before `b`: the order in which V2 and V3 pools keep their tokens. */
export function sortsBefore(a: Token, b: Token): boolean {
  return BigInt(a.address) < BigInt(b.address);
}
