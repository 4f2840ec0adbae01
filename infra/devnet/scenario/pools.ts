import { parseUnits } from 'ethers';
import { FIRST_DAY, LATE_ARRIVALS_DAY, LATE_POOLS_DAY } from './calendar.ts';
import type { Prices } from './market.ts';

export type Token = 'TokenGGP' | 'TokenggAVAX' | 'WAVAX' | 'USDC' | 'SAVAX';
export type PoolFactory =
  | 'JoeFactory'
  | 'PangolinFactory'
  | 'LBFactory'
  | 'UniswapV3Factory'
  | 'PharaohFactory'
  | 'BlackholeFactory';

/** Prices at one time; that of ggAVAX only if the exchange rate has been read. */
export type PoolPrices = Prices & { ggAvaxInAVAX?: number };

/** AVAX of the first sAVAX, and the AVAX that is added to it as rewards. */
export const SAVAX_POOLED = { submitted: 1_000, rewards: 246.9 };
/**
 * Price of ggAVAX in sAVAX, as a multiple of its fair value. It is above 1, so that this market is the best one for
 * small amounts.
 */
const PREMIUM = 1.0025;

/** The price of a pool, including that of sAVAX in ggAVAX if the price of ggAVAX is known. */
export function priceOf({ price }: PoolRow, prices: PoolPrices): number | undefined {
  if (price !== 'sAvaxInGgAvax') return prices[price];
  const { submitted, rewards } = SAVAX_POOLED;
  return prices.ggAvaxInAVAX && (submitted + rewards) / submitted / (prices.ggAvaxInAVAX * PREMIUM);
}

export interface PoolRow {
  factory: PoolFactory;
  kind: 'UniswapV2Pair' | 'LBPair' | 'UniswapV3Pool' | 'AlgebraPool';
  base: Token;
  quote: Token;
  price: keyof PoolPrices | 'sAvaxInGgAvax';
  /** Arguments of its factory's create function besides the tokens: bin step; fee; tick spacing and fee; deployer. */
  keys: (number | string)[];
  /** Base tokens it starts with; for LB in each bin. */
  size: number;
  /** Typical distance of its price from the reference, as a fraction; never more than twice that. None is drawn for 0. */
  spread: number;
  /** Day it is created on. */
  since: number;
}

/** Blackhole's first contract for pools of tick spacing 1, which made its pools of ggAVAX and of WAVAX with USDC. */
const DEPLOYER = '0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29';

/** Every pool of the devnet. `base` sorts before `quote` by address, so it is token0 (V2, V3) or token X (LB). */
// biome-ignore format: a table
export const POOLS: readonly PoolRow[] = [
  { factory: 'JoeFactory',       kind: 'UniswapV2Pair', base: 'TokenGGP',    quote: 'WAVAX', price: 'ggpInAVAX',    keys: [],        size: 400_000, spread: 0.002, since: FIRST_DAY },
  { factory: 'JoeFactory',       kind: 'UniswapV2Pair', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    keys: [],        size: 25_000,  spread: 0.003, since: FIRST_DAY },
  { factory: 'PangolinFactory',  kind: 'UniswapV2Pair', base: 'TokenGGP',    quote: 'WAVAX', price: 'ggpInAVAX',    keys: [],        size: 30_000,  spread: 0.005, since: FIRST_DAY },
  { factory: 'PangolinFactory',  kind: 'UniswapV2Pair', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    keys: [],        size: 8_000,   spread: 0.004, since: FIRST_DAY },
  { factory: 'PharaohFactory',   kind: 'UniswapV3Pool', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    keys: [10, 620], size: 15_000,  spread: 0.001, since: FIRST_DAY },
  { factory: 'PharaohFactory',   kind: 'UniswapV3Pool', base: 'TokenggAVAX', quote: 'WAVAX', price: 'ggAvaxInAVAX', keys: [1, 90],   size: 4_000,   spread: 0.001, since: FIRST_DAY },
  { factory: 'LBFactory',        kind: 'LBPair',        base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    keys: [20],      size: 150,     spread: 0.001, since: LATE_ARRIVALS_DAY },
  { factory: 'UniswapV3Factory', kind: 'UniswapV3Pool', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    keys: [500],     size: 20_000,  spread: 0.001, since: LATE_ARRIVALS_DAY },
  { factory: 'BlackholeFactory', kind: 'AlgebraPool',   base: 'WAVAX',  quote: 'USDC',  price: 'avaxInUSD',    keys: [DEPLOYER], size: 10_000, spread: 0,     since: LATE_POOLS_DAY },
  { factory: 'BlackholeFactory', kind: 'AlgebraPool',   base: 'TokenggAVAX', quote: 'WAVAX', price: 'ggAvaxInAVAX', keys: [DEPLOYER], size: 900, spread: 0,  since: LATE_POOLS_DAY },
  { factory: 'PharaohFactory',   kind: 'UniswapV3Pool', base: 'SAVAX', quote: 'TokenggAVAX', price: 'sAvaxInGgAvax', keys: [5, 100],  size: 200,     spread: 0,     since: LATE_POOLS_DAY },
];

const DECIMALS: Record<Token, number> = { TokenGGP: 18, TokenggAVAX: 18, WAVAX: 18, USDC: 6, SAVAX: 18 };

/** Base and quote amounts of equal value, in the tokens' smallest units. */
export function bothSides({ base, quote, size }: PoolRow, price: number): [bigint, bigint] {
  return [parseUnits(`${size}`, DECIMALS[base]), parseUnits((size * price).toFixed(6), DECIMALS[quote])];
}

/** The argument of the Trader's move() for a price: the nearest bin, or the square root in Q96. */
export function targetOf({ kind, base, quote, keys }: PoolRow, price: number): bigint {
  const [decimals0, decimals1] = [DECIMALS[base], DECIMALS[quote]];
  if (kind === 'LBPair') {
    const binStep = Number(keys[0]);
    const raw = price * 10 ** (decimals1 - decimals0);
    return BigInt(2 ** 23 + Math.round(Math.log(raw) / Math.log1p(binStep / 10_000)));
  }
  const numerator = parseUnits(price.toFixed(12), 12) * 10n ** BigInt(decimals1) * 2n ** 192n;
  return sqrt(numerator / 10n ** BigInt(12 + decimals0));
}

/** Integer square root, rounded down: Newton's method from above. */
function sqrt(value: bigint): bigint {
  let root = BigInt(Math.ceil(Math.sqrt(Number(value)) * (1 + 1e-12)));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
