import type { ProtocolState } from '../chain/chain.ts';
import { mulWad, smaller } from '../values/wad.ts';
import type { Factory } from './exchanges.ts';

export type PairName = 'GGP/AVAX' | 'ggAVAX/AVAX' | 'AVAX/USDC';

export interface Token {
  address: string;
  decimals: number;
}

/** Two tokens that the API quotes: the price is quote tokens for one base token. One of the two is always WAVAX. */
export interface Pair {
  name: PairName;
  base: Token;
  quote: Token;
  avaxSide: 'base' | 'quote';
}

/** A pool as its factory knows it. */
export interface FoundPool {
  pair: Pair;
  kind: Factory['kind'];
  address: string;
  /** Whether the base token is the pool's first one (token0, token X). */
  baseIsFirst: boolean;
  /** How the exchange quotes trades in a V3 pool. */
  quoter?: { address: string; key: 'fee' | 'tickSpacing'; tier: number };
}

export interface Pool extends FoundPool {
  /** Code of the exchange it belongs to. */
  exchange: string;
}

/** A pool's state at one block. */
export interface PoolState {
  pool: Pool;
  /** Fee of a swap, as a fraction scaled by 1e18. */
  fee: bigint;
  /** Quote tokens for one base token, scaled by 1e18. */
  price: bigint;
  /** What the pool holds, in the tokens' base units. */
  baseReserve: bigint;
  quoteReserve: bigint;
  /** AVAX wei that trading takes out of the pool before the price has moved by 2 %. */
  depthAVAX: bigint;
  /** The bins of a Liquidity Book pool whose AVAX that is, from the active one on. */
  bins?: readonly number[];
}

/** How one kind of pool is found and read. Both query the chain, so start several at once. */
export interface PoolKind<F extends Factory = Factory> {
  /** The pools of a pair; none is an ordinary answer. */
  find(state: ProtocolState, factory: F, pair: Pair): Promise<FoundPool[]>;
  /**
   * The state, or undefined if the pool has no liquidity to take a price from. `before` is the pool's state a while ago, which tells
   * what will probably have to be read.
   */
  read(state: ProtocolState, pool: Pool, before?: PoolState): Promise<PoolState | undefined>;
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
  return smaller(avaxReserve, mulWad(avaxInRange, PART_FOR_2_PERCENT));
}

/** Of a pair's two amounts, that of AVAX. */
export function avaxOf({ avaxSide }: Pair, baseAmount: bigint, quoteAmount: bigint): bigint {
  return avaxSide === 'base' ? baseAmount : quoteAmount;
}

/** AVAX wei: what a pool holds of the token that is not AVAX, at its own price, rounded down. */
export function otherInAVAX({ pool: { pair }, price, baseReserve, quoteReserve }: PoolState): bigint {
  const scale = priceScale(pair);
  return pair.avaxSide === 'quote' ? (baseReserve * price) / scale : (quoteReserve * scale) / price;
}

/** 10^(18 + base decimals − quote decimals): turns a ratio of base units into a price scaled by 1e18. */
export function priceScale({ base, quote }: Pair): bigint {
  return 10n ** BigInt(18 + base.decimals - quote.decimals);
}

/** Whether `a` sorts before `b`: the order in which V2 and V3 pools keep their tokens. */
export function sortsBefore(a: Token, b: Token): boolean {
  return BigInt(a.address) < BigInt(b.address);
}
