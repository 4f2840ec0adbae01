import type { ProtocolState } from '../chain/chain.ts';
import { TOKEN_DECIMALS } from '../values/amounts.ts';
import { min, WAD } from '../values/wad.ts';
import { EXCHANGES } from './exchanges.ts';
import { lb } from './lb.ts';
import { inAVAX, isValued, otherInAVAX, type Pair, type Pool, type PoolState, readSAvaxRate } from './pool.ts';
import { v2 } from './v2.ts';
import { v3 } from './v3.ts';

/** The prices of one exchange, scaled by 1e18, each from its most significant pool. Missing if there is no such pool. */
export type ExchangePrices = { [Name in 'avaxInUSD' | 'ggpInAVAX' | 'ggAvaxInAVAX']?: bigint | undefined };

const KINDS = { v2, lb, v3: v3 as typeof v2 };

const USDC_DECIMALS = 6;

function listPairs({ network, addresses }: ProtocolState): Pair[] {
  const token = (address: string, decimals = TOKEN_DECIMALS) => ({ address, decimals });
  const [wavax, ggAvax] = [token(network.wavax), token(addresses.TokenggAVAX)];
  const quotes = network.sAvax ? [token(network.sAvax)] : [];
  return [
    { name: 'GGP/AVAX', base: token(addresses.TokenGGP), quote: wavax, avaxSide: 'quote' },
    { name: 'ggAVAX/AVAX', base: ggAvax, quote: wavax, avaxSide: 'quote' },
    ...quotes.map((quote): Pair => ({ name: 'ggAVAX/sAVAX', base: ggAvax, quote, avaxSide: 'quote', inSAvax: true })),
    ...network.usdc.map((address): Pair => {
      return { name: 'AVAX/USDC', base: wavax, quote: token(address, USDC_DECIMALS), avaxSide: 'base' };
    }),
  ];
}

/** Every pool that trades one of our pairs. */
export async function readPools(state: ProtocolState): Promise<Pool[]> {
  const found = EXCHANGES.flatMap(({ code, factories }) =>
    (factories[state.network.name] ?? []).flatMap((factory) =>
      listPairs(state).map(async (pair) => {
        const pools = await KINDS[factory.kind].find(state, factory, pair);
        return pools.map((pool) => ({ ...pool, exchange: code }));
      }),
    ),
  );
  return (await Promise.all(found)).flat();
}

/** Minimum significance, AVAX wei. Pools in which less than 0.01 AVAX moves the price by 2 % are easy to manipulate. */
const LEAST_SIGNIFICANCE = WAD / 100n;

export async function readAllStates(state: ProtocolState, pools: readonly Pool[]): Promise<PoolState[]> {
  const [rate, states] = await Promise.all([
    pools.some(({ pair }) => pair.inSAvax) ? readSAvaxRate(state) : undefined,
    Promise.all(pools.map((pool) => KINDS[pool.kind].read(state, pool))),
  ]);
  return states.flatMap((state) => {
    if (!state || state.price === 0n) return [];
    return state.pool.pair.inSAvax ? { ...state, rate } : state;
  });
}

export async function readPoolStates(state: ProtocolState, pools: readonly Pool[]): Promise<PoolState[]> {
  return findSignificant(await readAllStates(state, pools));
}

/** The states that count as markets, the most significant first, without pools quoted in sAVAX of unknown rate. */
export function findSignificant(states: readonly PoolState[]): PoolState[] {
  return states
    .filter((state) => isValued(state) && significanceOf(state) >= LEAST_SIGNIFICANCE)
    .sort((a, b) => Number(significanceOf(b) - significanceOf(a)));
}

/**
 * Significance of a pool in AVAX wei: its depth, but at most the value of its other token. A pool that holds one token only
 * can be opened at any price without a risk, so it counts as 0.
 */
function significanceOf(state: PoolState): bigint {
  return inAVAX(state, min(state.depthAVAX, otherInAVAX(state)));
}

/** The price of the first pool of each pair, which has to be the most significant. A price in sAVAX is converted to AVAX. */
export function findPrices(states: readonly PoolState[]): ExchangePrices {
  const priceIn = (...pairs: Pair['name'][]) => {
    const first = states.find(({ pool }) => pairs.includes(pool.pair.name));
    return first && inAVAX(first, first.price);
  };
  return {
    avaxInUSD: priceIn('AVAX/USDC'),
    ggpInAVAX: priceIn('GGP/AVAX'),
    ggAvaxInAVAX: priceIn('ggAVAX/AVAX', 'ggAVAX/sAVAX'),
  };
}
