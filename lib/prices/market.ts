import type { ProtocolState } from '../chain/chain.ts';
import { TOKEN_DECIMALS } from '../values/amounts.ts';
import { smaller, WAD } from '../values/wad.ts';
import { EXCHANGES, type Factory } from './exchanges.ts';
import { lb } from './lb.ts';
import { otherInAVAX, type Pair, type PairName, type Pool, type PoolKind, type PoolState } from './pool.ts';
import { v2 } from './v2.ts';
import { v3 } from './v3.ts';

/** The prices of one exchange, scaled by 1e18, each from its most significant pool; missing where it has none. */
export interface ExchangePrices {
  avaxInUSD?: bigint | undefined;
  ggpInAVAX?: bigint | undefined;
  ggAvaxInAVAX?: bigint | undefined;
}

const KINDS: Record<Factory['kind'], PoolKind> = { v2, lb, v3: v3 as PoolKind };

const USDC_DECIMALS = 6;

function pairsOf({ network, addresses }: ProtocolState): Pair[] {
  const token = (address: string) => ({ address, decimals: TOKEN_DECIMALS });
  const wavax = token(network.wavax);
  return [
    { name: 'GGP/AVAX', base: token(addresses.TokenGGP), quote: wavax, avaxSide: 'quote' },
    { name: 'ggAVAX/AVAX', base: token(addresses.TokenggAVAX), quote: wavax, avaxSide: 'quote' },
    ...network.usdc.map((address): Pair => {
      return { name: 'AVAX/USDC', base: wavax, quote: { address, decimals: USDC_DECIMALS }, avaxSide: 'base' };
    }),
  ];
}

/** Every pool that trades one of our pairs, as the exchanges' factories know them at the state's block. */
export async function readPools(state: ProtocolState): Promise<Pool[]> {
  const found = EXCHANGES.flatMap(({ code, factories }) =>
    (factories[state.network.name] ?? []).flatMap((factory) =>
      pairsOf(state).map(async (pair) => {
        const pools = await KINDS[factory.kind].find(state, factory, pair);
        return pools.map((pool) => ({ ...pool, exchange: code }));
      }),
    ),
  );
  return (await Promise.all(found)).flat();
}

/** AVAX wei. Pools in which under 0.01 AVAX moves the price by 2 % are ignored: anybody could set their price. */
const LEAST_SIGNIFICANCE = WAD / 100n;

/** The states of pools, the most significant first. Leaves out those below {@link LEAST_SIGNIFICANCE}. */
export async function readPoolStates(state: ProtocolState, pools: readonly Pool[]): Promise<PoolState[]> {
  return significantOf(await readAllStates(state, pools));
}

/**
 * The states of all pools that have a price. With their states of a while ago, `before`, this takes one request rather than two, unless
 * a price has moved far.
 */
export async function readAllStates(
  state: ProtocolState,
  pools: readonly Pool[],
  before: readonly PoolState[] = [],
): Promise<PoolState[]> {
  const stateBefore = ({ address }: Pool) => before.find(({ pool }) => pool.address === address);
  const states = await Promise.all(pools.map((pool) => KINDS[pool.kind].read(state, pool, stateBefore(pool))));
  return states.flatMap((state) => (state && state.price > 0n ? state : []));
}

/** The states that count as markets, the most significant first. */
export function significantOf(states: readonly PoolState[]): PoolState[] {
  return states
    .filter((state) => significanceOf(state) >= LEAST_SIGNIFICANCE)
    .sort((a, b) => Number(significanceOf(b) - significanceOf(a)));
}

/**
 * AVAX wei: the depth of a pool, but at most the value of its other token. A pool that holds one token only can be
 * opened at any price without a risk, so it counts as 0.
 */
function significanceOf(state: PoolState): bigint {
  return smaller(state.depthAVAX, otherInAVAX(state));
}

/** The price of the first pool of a pair. */
function priceOf(states: readonly PoolState[], pair: PairName): bigint | undefined {
  return states.find(({ pool }) => pool.pair.name === pair)?.price;
}

/** The prices that these states give, of which the most significant of each pair comes first. */
export function pricesOf(states: readonly PoolState[]): ExchangePrices {
  return {
    avaxInUSD: priceOf(states, 'AVAX/USDC'),
    ggpInAVAX: priceOf(states, 'GGP/AVAX'),
    ggAvaxInAVAX: priceOf(states, 'ggAVAX/AVAX'),
  };
}

/** What a trade pays. */
export interface Quote {
  pool: Pool;
  /** AVAX wei, fees included. */
  assets: bigint;
}

/** The best of these pools' prices for selling so much ggAVAX (wei); undefined if none can take that much. */
export async function readBestSale(
  state: ProtocolState,
  pools: readonly Pool[],
  shares: bigint,
): Promise<Quote | undefined> {
  const quotes = await Promise.all(
    pools.filter(isGgAvaxMarket).map(async (pool) => {
      const assets = await KINDS[pool.kind].quote(state, pool, shares);
      return assets ? [{ pool, assets }] : [];
    }),
  );
  return quotes
    .flat()
    .reduce<Quote | undefined>((best, one) => (best && best.assets >= one.assets ? best : one), undefined);
}

/** Whether a pool trades ggAVAX for AVAX. */
export function isGgAvaxMarket({ pair }: Pool): boolean {
  return pair.name === 'ggAVAX/AVAX';
}
