import * as z from 'zod/mini';
import { pricesBody } from '../../lib/api/bodies/prices-body.ts';
import { dexParam, requireExchange } from '../../lib/api/dex-param.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { address, blockRef, decimal, model, percent, quantity, text } from '../../lib/api/schemas.ts';
import { marketDataset, poolsDataset } from '../../lib/prices/current.ts';
import { pricesOf, significantOf } from '../../lib/prices/market.ts';
import { avaxOf, otherInAVAX, type PoolState } from '../../lib/prices/pool.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, toNumber } from '../../lib/values/amounts.ts';
import { mulWad } from '../../lib/values/wad.ts';

const response = () =>
  z.object({
    dex: text('Code of the exchange.'),
    name: text('Name of the exchange.'),
    avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX, taking 1 USDC as 1 USD.')),
    ggpInAVAX: z.optional(quantity('AVAX', 'Price of one GGP.')),
    ggpInUSD: z.optional(quantity('USD', 'Price of one GGP: `ggpInAVAX` × `avaxInUSD`.')),
    ggAvaxInAVAX: z.optional(quantity('AVAX', 'Market price of one ggAVAX.')),
    ggAvaxInUSD: z.optional(quantity('USD', 'Market price of one ggAVAX: `ggAvaxInAVAX` × `avaxInUSD`.')),
    pools: z
      .array(
        model(
          'Pool',
          z.object({
            pair: model('TokenPair', z.enum(['GGP/AVAX', 'ggAVAX/AVAX', 'AVAX/USDC'])).check(
              z.describe('Base and quote token.'),
            ),
            address: address('Address of the pool.'),
            kind: model('PoolKind', z.enum(['v2', 'lb', 'v3'])).check(
              z.describe('`v2`: constant product. `lb`: Liquidity Book. `v3`: concentrated liquidity.'),
            ),
            feePercent: percent('Swap fee, without the variable part that Liquidity Book adds.'),
            price: decimal('Quote tokens per base token. Decimal string, truncated to 18 decimal places.'),
            baseReserve: decimal('Base tokens in the pool. Exact decimal string.'),
            quoteReserve: decimal('Quote tokens in the pool. Exact decimal string.'),
            liquidityUSD: z.optional(
              quantity('USD', 'Value of both reserves, at `price` and `avaxInUSD`. Omitted without `avaxInUSD`.'),
            ),
            depth2PercentAVAX: quantity('AVAX', 'AVAX that can be bought from the pool before the price moves by 2%.'),
          }),
        ),
      )
      .check(
        z.describe(
          'Pools, the deepest first; a pool counts at most for the value of its other token. Those in which less than 0.01 AVAX moves the price by 2% are left out. The first pool of each pair provides its price.',
        ),
      ),
    block: blockRef(),
  });

export const pricesDex = defineEndpoint({
  path: '/prices/{dex}',
  tag: 'Prices',
  summary: 'Current prices on one exchange',
  description:
    "Spot prices from the exchange's own pools, which are found through its factories. Each price is that of the pair's deepest pool that holds both tokens. A pair without a pool is omitted. Spot prices can be manipulated within a block, so check the depth.",
  freshSeconds: 15,
  datasets: [poolsDataset],
  input: z.object({ dex: dexParam }),
  // An unknown exchange is refused before the cache, which would store a 404 for every name that somebody invents.
  canonical: ({ dex }) => ({ dex: requireExchange(dex).code }),
  response,
  exampleRequest: '/prices/tj',
  example: {
    dex: 'tj',
    name: 'Trader Joe (LFJ)',
    avaxInUSD: 9.8,
    ggpInAVAX: 0.00714479999999,
    ggpInUSD: 0.0700190399999,
    pools: [
      {
        pair: 'GGP/AVAX',
        address: '0xae671e0bF91CEaa4a6cB0D1294735EA3236d4586',
        kind: 'v2',
        feePercent: 0.3,
        price: '0.007144799999999999',
        baseReserve: '1000000',
        quoteReserve: '7144.8',
        liquidityUSD: 140_038.08,
        depth2PercentAVAX: 70.3938349531,
      },
    ],
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  notFound: ['DEX_NOT_FOUND'],
  async handle({ dex }, context) {
    const exchange = requireExchange(dex);
    const market = await context.dataset(marketDataset(exchange.code));
    const states = significantOf(market.states);
    const prices = pricesOf(states);
    return {
      dex: exchange.code,
      name: exchange.name,
      ...pricesBody(prices),
      pools: states.map((state) => poolBody(state, prices.avaxInUSD)),
      block: market.block,
    };
  },
});

function poolBody(state: PoolState, avaxInUSD: bigint | undefined) {
  const { pool, fee, price, baseReserve, quoteReserve, depthAVAX } = state;
  const { base, quote } = pool.pair;
  const valueAVAX = avaxOf(pool.pair, baseReserve, quoteReserve) + otherInAVAX(state);
  return {
    pair: pool.pair.name,
    address: pool.address,
    kind: pool.kind,
    feePercent: percentFrom(fee),
    price: formatAmount(price),
    baseReserve: formatAmount(baseReserve, base.decimals),
    quoteReserve: formatAmount(quoteReserve, quote.decimals),
    liquidityUSD: ifKnown(toNumber, ifKnown(mulWad, valueAVAX, avaxInUSD)),
    depth2PercentAVAX: toNumber(depthAVAX),
  };
}

export const handler = createHandler(pricesDex);
