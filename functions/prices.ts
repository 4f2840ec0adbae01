import { pricesIn } from '../lib/api/bodies/prices-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { object, partialObject } from '../lib/api/fields.ts';
import { avaxNumber, block, seconds, text, unixTime } from '../lib/api/units.ts';
import type { ChainContext } from '../lib/chain/chain.ts';
import { readOraclePrice } from '../lib/contracts/ggp.ts';
import { readBestPrices, readCachedPools, type SourcedPrice } from '../lib/prices/current.ts';
import type { Overview } from '../lib/protocol/protocol.ts';
import type { BlockRef } from '../lib/values/block.ts';

type Prices = Awaited<ReturnType<typeof readAll>>;

const source = object<SourcedPrice>('PriceSource')({
  source: text('Source of the price: `chainlink`, an exchange code, or `redemption-rate`.'),
  updatedAt: unixTime('Last update of a `chainlink` price; otherwise, the time of the block.'),
});

const sources = object<Awaited<ReturnType<typeof readBestPrices>>>('PriceSources')({
  avaxInUSD: source.optional(),
  ggpInAVAX: source.optional(),
  ggAvaxInAVAX: source.optional(),
  eurInUSD: source.optional(),
});

const oracle = object<NonNullable<Overview['oracle']> & { block: BlockRef }>('OraclePrice')({
  ggpInAVAX: avaxNumber('Price of one GGP that the contracts use.', (price) => price.ggpPriceInAVAX),
  updatedAt: unixTime('Time of the oracle price.'),
  ageSeconds: seconds('Age at the block.', ({ block, updatedAt }) => Math.max(0, block.timestamp - updatedAt)),
});

const PRICES = partialObject<Prices>('PricedField')({
  ...pricesIn(
    {
      avaxInUSD: 'Price of one AVAX.',
      ggpInAVAX: 'Spot price of one GGP on Trader Joe.',
      ggAvaxInAVAX: 'Redemption rate of one ggAVAX. Not a market price.',
    },
    'NO_PRICE',
  ),
  sources: sources('', ({ best }) => best),
  oracle: oracle.optional('', ({ oracle, block }) => oracle && { ...oracle, block }),
  block: block(),
});

export const prices = defineEndpoint({
  path: '/prices',
  tag: 'Prices',
  summary: 'Best current prices',
  description:
    "AVAX/USD is the Chainlink price if at most one hour older than the block, or else that of the deepest AVAX/USDC pool (1 USDC = 1 USD). GGP/AVAX is the spot price of Trader Joe's V1 pair, which the protocol's TWAP reads. ggAVAX/AVAX is the redemption rate. EUR/USD is the Chainlink price if at most four days older than the block. A price without a source is omitted. Pools in which less than 0.01 AVAX moves the price by 2% are ignored.",
  freshSeconds: 15,
  shared: true,
  body: PRICES,
  exampleRequest: '/prices',
  handle: (_input, context) => readAll(context),
});

async function readAll(context: ChainContext) {
  const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
  const reads = [readBestPrices(state, pools), readOraclePrice(state), state.block()] as const;
  const [best, oracle, block] = await Promise.all(reads);
  const { avaxInUSD, ggpInAVAX, ggAvaxInAVAX, eurInUSD } = best;
  return {
    avaxInUSD: avaxInUSD?.price,
    ggpInAVAX: ggpInAVAX?.price,
    ggAvaxInAVAX: ggAvaxInAVAX?.price,
    eurInUSD: eurInUSD?.price,
    best,
    oracle,
    block,
  };
}

export const handler = /* @__PURE__ */ createHandler(prices);
