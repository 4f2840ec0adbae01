import { getCreateAddress, parseUnits } from 'ethers';
import { type Contract, call, type Transaction } from '../chain.ts';
import type { Artifacts } from '../compile.ts';
import { abiOf, type Protocol } from '../protocol.ts';
import { FIRST_DAY, LATE_ARRIVALS_DAY } from './calendar.ts';
import type { Prices } from './market.ts';
import type { Random } from './random.ts';

type Token = 'TokenGGP' | 'TokenggAVAX' | 'WAVAX' | 'USDC';
type PoolKind = 'V2Pair' | 'LBPair' | 'V3Pool';
type Factory = 'JoeFactory' | 'PangolinFactory' | 'LBFactory' | 'UniswapV3Factory' | 'PharaohFactory';

/** Prices of a moment; ggAVAX's is known only when somebody has read the exchange rate. */
export type PoolPrices = Prices & { ggAvaxInAVAX?: number };

interface PoolRow {
  factory: Factory;
  base: Token;
  quote: Token;
  price: keyof PoolPrices;
  /** Day it is created on. */
  since: number;
  /** Base tokens on each side at the start; for LB in each bin. */
  size: number;
  /** Typical distance of its price from the reference, as a fraction. */
  spread: number;
  /** Factory's key of the pool: LB bin step, V3 fee, Pharaoh tick spacing. */
  key?: number;
}

/** Every pool of the devnet. `base` sorts before `quote` by address, so it is token0 (V2, V3) or token X (LB). */
// biome-ignore format: a table
export const POOLS: readonly PoolRow[] = [
  {
    factory: 'JoeFactory',
    base: 'TokenGGP',
    quote: 'WAVAX',
    price: 'ggpInAVAX',
    since: FIRST_DAY,
    size: 400_000,
    spread: 0.003,
  },
  {
    factory: 'JoeFactory',
    base: 'WAVAX',
    quote: 'USDC',
    price: 'avaxInUSD',
    since: FIRST_DAY,
    size: 25_000,
    spread: 0.003,
  },
  {
    factory: 'PangolinFactory',
    base: 'TokenGGP',
    quote: 'WAVAX',
    price: 'ggpInAVAX',
    since: FIRST_DAY,
    size: 30_000,
    spread: 0.007,
  },
  {
    factory: 'PangolinFactory',
    base: 'WAVAX',
    quote: 'USDC',
    price: 'avaxInUSD',
    since: FIRST_DAY,
    size: 8_000,
    spread: 0.004,
  },
  {
    factory: 'PharaohFactory',
    base: 'WAVAX',
    quote: 'USDC',
    price: 'avaxInUSD',
    since: FIRST_DAY,
    size: 15_000,
    spread: 0.001,
    key: 10,
  },
  {
    factory: 'PharaohFactory',
    base: 'TokenggAVAX',
    quote: 'WAVAX',
    price: 'ggAvaxInAVAX',
    since: FIRST_DAY,
    size: 4_000,
    spread: 0.001,
    key: 1,
  },
  {
    factory: 'LBFactory',
    base: 'WAVAX',
    quote: 'USDC',
    price: 'avaxInUSD',
    since: LATE_ARRIVALS_DAY,
    size: 150,
    spread: 0.001,
    key: 20,
  },
  {
    factory: 'UniswapV3Factory',
    base: 'WAVAX',
    quote: 'USDC',
    price: 'avaxInUSD',
    since: LATE_ARRIVALS_DAY,
    size: 20_000,
    spread: 0.001,
    key: 500,
  },
];

const DECIMALS: Record<Token, number> = { TokenGGP: 18, TokenggAVAX: 18, WAVAX: 18, USDC: 6 };
/** Bins with liquidity on either side of LB's first active bin: ±30 %. */
const LB_WIDTH = 130;
const PHARAOH_FEE = 620;
/** How far Chainlink is from the reference. */
const FEED_SPREAD = 0.001;

/** The pools and the feed, all traded and priced by the Trader contract. */
export interface Exchanges {
  /** Transactions that create the pools of `day` at these prices and fund them from the Trader. */
  open(day: number, prices: PoolPrices): Transaction[];
  /** One transaction that moves every pool that exists on `day`, and the feed, near these prices. */
  move(day: number, prices: PoolPrices): Transaction;
}

export function createExchanges(artifacts: Artifacts, protocol: Protocol, keeper: string, random: Random): Exchanges {
  const { Trader, AvaxUsdFeed } = protocol;
  const created = new Map<Factory, number>();
  const pools = POOLS.map((row) => {
    const nonce = (created.get(row.factory) ?? 0) + 1;
    created.set(row.factory, nonce);
    const kind: PoolKind = row.factory === 'LBFactory' ? 'LBPair' : row.key === undefined ? 'V2Pair' : 'V3Pool';
    const address = getCreateAddress({ from: protocol[row.factory].address, nonce });
    return { ...row, kind, contract: { address, abi: abiOf(artifacts, kind) } };
  });
  type Pool = (typeof pools)[number];

  const createPool = ({ factory, base, quote, key, kind }: Pool, price: number): Transaction => {
    const tokens = [protocol[base].address, protocol[quote].address];
    const target = protocol[factory];
    if (kind === 'V2Pair') return call(keeper, target, 'createPair', tokens);
    if (kind === 'LBPair')
      return call(keeper, target, 'createLBPair', [...tokens, binOf(base, quote, price, key), key]);
    return call(
      keeper,
      target,
      'createPool',
      factory === 'PharaohFactory' ? [...tokens, key, PHARAOH_FEE] : [...tokens, key],
    );
  };

  const fundPool = ({ base, quote, size, kind, contract }: Pool, price: number): Transaction => {
    const amount0 = parseUnits(String(size), DECIMALS[base]);
    const amount1 = parseUnits((size * price).toFixed(6), DECIMALS[quote]);
    if (kind === 'V2Pair') return trade(contract, 'addLiquidity', [amount0, amount1]);
    if (kind === 'LBPair') return trade(contract, 'addLiquidity', [LB_WIDTH, amount0, amount1]);
    const sqrtPrice = sqrtPriceX96(base, quote, price);
    return trade(contract, 'initialize', [sqrtPrice, (amount0 * sqrtPrice) / 2n ** 96n]);
  };

  const trade = (contract: Contract, method: string, args: readonly unknown[]) =>
    executeAs(protocol, keeper, contract, method, args);
  const target = ({ base, quote, key, kind }: Pool, price: number) =>
    kind === 'LBPair' ? binOf(base, quote, price, key) : sqrtPriceX96(base, quote, price);

  return {
    open(day, prices) {
      return pools
        .filter((pool) => pool.since === day)
        .flatMap((pool) => {
          const price = prices[pool.price] ?? 1;
          const tokens = [protocol[pool.base].address, protocol[pool.quote].address];
          const admission = call(keeper, Trader, 'addPool', [pool.contract.address, ...tokens]);
          return [createPool(pool, price), admission, fundPool(pool, price)];
        });
    },
    move(day, prices) {
      const near = (price: number, spread: number) => price * (1 + spread * random.normal());
      const targets = pools.map((pool) => {
        const price = prices[pool.price];
        // Drawn for pools that do not exist yet, too, so that opening one does not shift the others' noise.
        const noisy = near(price ?? 1, pool.spread);
        return price === undefined || pool.since >= day ? 0 : target(pool, noisy);
      });
      const answer = parseUnits(near(prices.avaxInUSD, FEED_SPREAD).toFixed(8), 8);
      return call(keeper, Trader, 'move', [targets, AvaxUsdFeed.address, answer]);
    },
  };
}

/** A call made by the Trader contract, which holds the market's inventory. */
export function executeAs(
  { Trader }: Protocol,
  keeper: string,
  contract: Contract,
  method: string,
  args: readonly unknown[] = [],
  value = 0n,
): Transaction {
  const { data } = call(Trader.address, contract, method, args);
  return { ...call(keeper, Trader, 'execute', [contract.address, data], value), label: method };
}

/** √(raw quote / raw base) · 2^96, rounded down. */
function sqrtPriceX96(base: Token, quote: Token, price: number): bigint {
  const numerator = parseUnits(price.toFixed(12), 12) * 10n ** BigInt(DECIMALS[quote]) * 2n ** 192n;
  return sqrt(numerator / 10n ** BigInt(12 + DECIMALS[base]));
}

/** Newton's method, from the square root of the nearest float. */
function sqrt(value: bigint): bigint {
  let root = BigInt(Math.ceil(Math.sqrt(Number(value)) * (1 + 1e-12)));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** The LB bin whose price is nearest. */
function binOf(base: Token, quote: Token, price: number, binStep = 0): number {
  const raw = price * 10 ** (DECIMALS[quote] - DECIMALS[base]);
  return 2 ** 23 + Math.round(Math.log(raw) / Math.log1p(binStep / 10_000));
}
