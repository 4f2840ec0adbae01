import { dexParam, inEUR, inUSD, pricesIn } from '../../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { choice, json, list, object, partialObject } from '../../lib/api/fields.ts';
import { address, avaxNumber, block, decimal, percent, text } from '../../lib/api/units.ts';
import { marketDataset } from '../../lib/prices/current.ts';
import { type Exchange, requireExchange } from '../../lib/prices/exchanges.ts';
import { type ExchangePrices, findPrices, findSignificant } from '../../lib/prices/market.ts';
import { inAVAX, isValued, otherInAVAX, PAIR_NAMES, type PoolState, toAvax } from '../../lib/prices/pool.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { WAD } from '../../lib/values/wad.ts';

interface PricedPool {
  state: PoolState;
  avaxInUSD: bigint | undefined;
  eurInUSD: bigint | undefined;
}

const POOL = object<PricedPool>('Pool')({
  pair: choice('TokenPair', PAIR_NAMES)('Base and quote token.', ({ state }) => state.pool.pair.name),
  address: address('Address of the pool.', ({ state }) => state.pool.address),
  kind: choice('PoolKind', ['v2', 'lb', 'v3'])(
    '`v2`: constant product. `lb`: Liquidity Book. `v3`: concentrated liquidity.',
    ({ state }) => state.pool.kind,
  ),
  feePercent: percent("Swap fee, without Liquidity Book's variable part.", ({ state }) => state.fee),
  price: decimal('Quote tokens per base token, as a decimal string with up to 18 places.', ({ state }) => state.price),
  sAvaxInAVAX: decimal.optional(
    'AVAX for one sAVAX (`getPooledAvaxByShares`), for pools that trade it. Decimal string, truncated to 18 decimal places.',
    ({ state }) => ifKnown((rate) => inAVAX({ rate }, WAD), state.rate),
  ),
  baseReserve: json(
    () => decimal.schema('Base tokens in the pool. Exact decimal string.'),
    ({ state: { pool, baseReserve } }) => formatAmount(baseReserve, pool.pair.base.decimals),
  ),
  quoteReserve: json(
    () => decimal.schema('Quote tokens in the pool. Exact decimal string.'),
    ({ state: { pool, quoteReserve } }) => formatAmount(quoteReserve, pool.pair.quote.decimals),
  ),
  liquidityUSD: inUSD('Value of both reserves. Omitted without `avaxInUSD`.', ({ state }) => liquidityOf(state)),
  liquidityEUR: inEUR('`liquidityUSD` at `eurInUSD`.', ({ state }) => liquidityOf(state)),
  depth2PercentAVAX: avaxNumber('AVAX to buy from the pool until the price moves by 2%.', ({ state }) =>
    inAVAX(state, state.depthAVAX),
  ),
});

function liquidityOf(state: PoolState): bigint {
  return inAVAX(state, toAvax(state.pool.pair, state.baseReserve, state.quoteReserve) + otherInAVAX(state));
}

interface Market extends ExchangePrices {
  exchange: Exchange;
  states: readonly PoolState[];
  eurInUSD: bigint | undefined;
  /** True if all pools of the exchange have a known value. */
  hasAllPrices: boolean;
  block: BlockRef;
}

const MARKET = partialObject<Market>('MarketField')({
  dex: text('Code of the exchange.', ({ exchange }) => exchange.code),
  name: text('Name of the exchange.', ({ exchange }) => exchange.name),
  ...pricesIn({
    avaxInUSD: 'Price of one AVAX (1 USDC = 1 USD).',
    ggpInAVAX: 'Price of one GGP.',
    ggAvaxInAVAX: 'Market price of one ggAVAX.',
  }),
  pools: list(POOL)(
    'Deepest first; a pool counts at most for the value of its other token. Pools in which less than 0.01 AVAX moves the price by 2% are omitted. The first pool of a pair gives its price; the first of both ggAVAX pairs, that of ggAVAX.',
    ({ states, avaxInUSD, eurInUSD }) => states.map((state) => ({ state, avaxInUSD, eurInUSD })),
    ({ hasAllPrices }) => (hasAllPrices ? undefined : 'NO_PRICE'),
  ),
  block: block(),
});

export const pricesDex = defineEndpoint({
  path: '/prices/{dex}',
  tag: 'Prices',
  summary: 'Current prices on one exchange',
  description:
    "Spot prices of the exchange's pools, found through its factories: for each pair, that of the deepest pool with both tokens. A pair without a pool is omitted. Pools of ggAVAX and sAVAX count at the AVAX value of sAVAX; if it is unknown, they are omitted, and `partial` names `pools`. Spot prices can be manipulated within a block: check the depth.",
  freshSeconds: 15,
  params: { dex: dexParam() },
  // An unknown exchange is refused before the cache. Otherwise the cache would store a 404 for every invented name.
  normalizeInput: ({ dex }) => ({ dex: requireExchange(dex).code }),
  body: MARKET,
  exampleRequest: '/prices/tj',
  notFound: ['DEX_NOT_FOUND'],
  async handle({ dex }, context) {
    const exchange = requireExchange(dex);
    const { states: all, eurInUSD, block } = await context.dataset(marketDataset(exchange.code));
    const states = findSignificant(all);
    return { exchange, states, ...findPrices(states), eurInUSD, hasAllPrices: all.every(isValued), block };
  },
});

export const handler = /* @__PURE__ */ createHandler(pricesDex);
