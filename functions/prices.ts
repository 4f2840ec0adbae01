import * as z from 'zod/mini';
import { pricesBody } from '../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { blockRef, model, quantity, seconds, text, unixTime } from '../lib/api/schemas.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readOraclePrice } from '../lib/contracts/oracle.ts';
import { poolsDataset, readBestPrices, readCachedPools, type SourcedPrice } from '../lib/prices/current.ts';
import { toNumber } from '../lib/values/amounts.ts';

const source = () =>
  z.optional(
    model(
      'PriceSource',
      z.object({
        source: text('Source of the price: `chainlink`, an exchange code, or `redemption-rate`.'),
        updatedAt: unixTime('For `chainlink`, when the price was last updated. Otherwise, the time of the block.'),
      }),
    ),
  );

const response = () =>
  z.object({
    avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX.')),
    ggpInAVAX: z.optional(quantity('AVAX', 'Price of one GGP on Trader Joe.')),
    ggpInUSD: z.optional(quantity('USD', 'Price of one GGP: `ggpInAVAX` × `avaxInUSD`.')),
    ggAvaxInAVAX: z.optional(quantity('AVAX', 'Redemption rate of one ggAVAX. Not a market price.')),
    ggAvaxInUSD: z.optional(quantity('USD', 'Value of one ggAVAX: `ggAvaxInAVAX` × `avaxInUSD`.')),
    sources: model('PriceSources', z.object({ avaxInUSD: source(), ggpInAVAX: source(), ggAvaxInAVAX: source() })),
    oracle: z.optional(
      model(
        'OraclePrice',
        z.object({
          ggpInAVAX: quantity('AVAX', "Price of one GGP that the protocol's own contracts use."),
          updatedAt: unixTime('Time of the oracle price.'),
          ageSeconds: seconds('Age of the oracle price at the time of the block.'),
        }),
      ),
    ),
    block: blockRef(),
  });

export const prices = defineEndpoint({
  path: '/prices',
  tag: 'Prices',
  summary: 'Best current prices',
  description:
    "AVAX/USD is the Chainlink price if it is at most one hour older than the block, or else the price of the deepest AVAX/USDC pool, taking 1 USDC as 1 USD. GGP/AVAX is the spot price of Trader Joe's V1 pair, the one that the protocol's own TWAP reads. ggAVAX/AVAX is the redemption rate. A price without a source is omitted, and pools in which less than 0.01 AVAX moves the price by 2% are none.",
  freshSeconds: 15,
  inTable: true,
  datasets: [poolsDataset],
  input: z.object({}),
  response,
  exampleRequest: '/prices',
  example: {
    avaxInUSD: 9.8,
    ggpInAVAX: 0.00714479999999,
    ggpInUSD: 0.0700190399999,
    ggAvaxInAVAX: 1.19643981786,
    ggAvaxInUSD: 11.725110215,
    sources: {
      avaxInUSD: { source: 'chainlink', updatedAt: 1_789_158_300 },
      ggpInAVAX: { source: 'tj', updatedAt: 1_789_158_328 },
      ggAvaxInAVAX: { source: 'redemption-rate', updatedAt: 1_789_158_328 },
    },
    oracle: { ggpInAVAX: 0.0071, updatedAt: 1_789_100_000, ageSeconds: 58_328 },
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const [state, pools] = await Promise.all([chainOf(context).latest('prices'), readCachedPools(context)]);
    const [best, oracle, block] = await Promise.all([
      readBestPrices(state, pools),
      readOraclePrice(state),
      state.block(),
    ]);
    const { avaxInUSD, ggpInAVAX, ggAvaxInAVAX } = best;
    return {
      ...pricesBody({
        avaxInUSD: avaxInUSD?.price,
        ggpInAVAX: ggpInAVAX?.price,
        ggAvaxInAVAX: ggAvaxInAVAX?.price,
      }),
      sources: {
        avaxInUSD: sourceOf(avaxInUSD),
        ggpInAVAX: sourceOf(ggpInAVAX),
        ggAvaxInAVAX: sourceOf(ggAvaxInAVAX),
      },
      oracle: oracle && {
        ggpInAVAX: toNumber(oracle.ggpPriceInAVAX),
        updatedAt: oracle.updatedAt,
        ageSeconds: Math.max(0, block.timestamp - oracle.updatedAt),
      },
      block,
    };
  },
});

function sourceOf(price: SourcedPrice | undefined) {
  return price && { source: price.source, updatedAt: price.updatedAt };
}

export const handler = createHandler(prices);
