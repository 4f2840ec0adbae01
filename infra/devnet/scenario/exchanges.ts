import { parseUnits } from 'ethers';
import { call } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { FIRST_DAY, LATE_ARRIVALS_DAY, LATE_POOLS_DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import type { Prices } from './market.ts';
import type { Random } from './random.ts';

type Token = 'TokenGGP' | 'TokenggAVAX' | 'WAVAX' | 'USDC' | 'SAVAX';

/** Prices at one time; that of ggAVAX only if the exchange rate has been read. */
type PoolPrices = Prices & { ggAvaxInAVAX?: number | undefined };

interface Pool {
  factory: Extract<keyof Protocol, `${string}Factory`>;
  base: Token;
  quote: Token;
  price: keyof PoolPrices | 'sAvaxInGgAvax';
  /** By which its factory tells it apart: fee, tick spacing, deployer or bin step. */
  key: number | string;
  /** Base tokens it starts with; for LB in each bin. */
  size: number;
  /** Typical distance of its price from the reference, as a fraction; never more than twice that. None is drawn for 0. */
  spread: number;
  /** Day it is created on. */
  since: number;
}

/** AVAX for one sAVAX, as its contract says. */
const SAVAX_RATE = 1.2469;
/** Price of ggAVAX in sAVAX, as a multiple of its fair value. */
const PREMIUM = 1.0025;
/** Blackhole's first contract for pools of tick spacing 1, which made its pools of ggAVAX and of WAVAX with USDC. */
const DEPLOYER = '0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29';
/** Typical distance of Chainlink's price from the reference, as a fraction. */
const FEED_SPREAD = 0.001;

/** Every pool of the devnet, by the day of its creation. `base` sorts before `quote` by address: it is token0, or token X. */
// biome-ignore format: a table
const POOLS: readonly Pool[] = [
  { factory: 'JoeFactory',       base: 'TokenGGP',    quote: 'WAVAX', price: 'ggpInAVAX',    key: 0,        size: 400_000, spread: 0.002, since: FIRST_DAY },
  { factory: 'JoeFactory',       base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: 0,        size: 25_000,  spread: 0.003, since: FIRST_DAY },
  { factory: 'PangolinFactory',  base: 'TokenGGP',    quote: 'WAVAX', price: 'ggpInAVAX',    key: 0,        size: 30_000,  spread: 0.005, since: FIRST_DAY },
  { factory: 'PangolinFactory',  base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: 0,        size: 8_000,   spread: 0.004, since: FIRST_DAY },
  { factory: 'PharaohFactory',   base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: 10,       size: 15_000,  spread: 0.001, since: FIRST_DAY },
  { factory: 'PharaohFactory',   base: 'TokenggAVAX', quote: 'WAVAX', price: 'ggAvaxInAVAX', key: 1,        size: 4_000,   spread: 0.001, since: FIRST_DAY },
  { factory: 'LBFactory',        base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: 20,       size: 150,     spread: 0.001, since: LATE_ARRIVALS_DAY },
  { factory: 'UniswapV3Factory', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: 500,      size: 20_000,  spread: 0.001, since: LATE_ARRIVALS_DAY },
  { factory: 'BlackholeFactory', base: 'WAVAX',       quote: 'USDC',  price: 'avaxInUSD',    key: DEPLOYER, size: 10_000,  spread: 0,     since: LATE_POOLS_DAY },
  { factory: 'BlackholeFactory', base: 'TokenggAVAX', quote: 'WAVAX', price: 'ggAvaxInAVAX', key: DEPLOYER, size: 900,     spread: 0,     since: LATE_POOLS_DAY },
  { factory: 'PharaohFactory',   base: 'SAVAX', quote: 'TokenggAVAX', price: 'sAvaxInGgAvax', key: 5,       size: 200,     spread: 0,     since: LATE_POOLS_DAY },
];

/** The pools and the feed, whose prices the Trader contract sets. */
export function createExchanges({ protocol, people: { keeper } }: Stage, random: Random) {
  const { Trader, AvaxUsdFeed } = protocol;
  const near = (price: number, spread: number) =>
    spread === 0 ? price : price * (1 + spread * Math.max(-2, Math.min(2, random.normal())));
  return {
    /** Transactions that create the pools of `day` at these prices. */
    open: (day: number, prices: PoolPrices) =>
      POOLS.filter(({ since }) => since === day).map((pool) => {
        const [base, quote] = [protocol[pool.base].address, protocol[pool.quote].address];
        const amount = parseUnits(`${pool.size}`, decimalsOf(pool.base));
        const target = targetOf(pool, priceOf(pool, prices) ?? 1);
        return call(keeper, Trader, 'open', [protocol[pool.factory].address, base, quote, pool.key, amount, target]);
      }),
    /** One transaction that moves every pool that exists on `day`, and the feed, near these prices. */
    move(day: number, prices: PoolPrices) {
      const targets = POOLS.map((pool) => {
        const price = priceOf(pool, prices);
        // Drawn for pools that do not exist yet, too, so that opening one does not shift the others' noise.
        const noisy = near(price ?? 1, pool.spread);
        return price === undefined || pool.since >= day ? 0n : targetOf(pool, noisy);
      });
      const answer = parseUnits(near(prices.avaxInUSD, FEED_SPREAD).toFixed(8), 8);
      return call(keeper, Trader, 'move', [targets, AvaxUsdFeed.address, answer]);
    },
  };
}

/** The price of a pool, including that of sAVAX in ggAVAX if the price of ggAVAX is known. */
function priceOf({ price }: Pool, prices: PoolPrices): number | undefined {
  if (price !== 'sAvaxInGgAvax') return prices[price];
  return prices.ggAvaxInAVAX && SAVAX_RATE / (prices.ggAvaxInAVAX * PREMIUM);
}

const decimalsOf = (token: Token) => (token === 'USDC' ? 6 : 18);

/** A pool's target for a price: the nearest bin, or the square root in Q96. */
function targetOf({ factory, base, quote, key }: Pool, price: number): bigint {
  const raw = price * 10 ** (decimalsOf(quote) - decimalsOf(base));
  if (factory === 'LBFactory') return BigInt(2 ** 23 + Math.round(Math.log(raw) / Math.log1p(Number(key) / 10_000)));
  // A double has the 53 most significant bits.
  return BigInt(Math.sqrt(raw) * 2 ** 96);
}
