import * as z from 'zod/mini';
import type { ExchangePrices } from '../../prices/market.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { toNumber } from '../../values/amounts.ts';
import { mulWad } from '../../values/wad.ts';
import { quantity } from '../schemas.ts';

/** How prices look in responses, both current ones and those of a recorded data point. */

export const priceFields = () => ({
  avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX.')),
  ggpInAVAX: z.optional(quantity('AVAX', 'Price of one GGP.')),
  ggpInUSD: z.optional(quantity('USD', 'Price of one GGP: `ggpInAVAX` × `avaxInUSD`.')),
  ggAvaxInAVAX: z.optional(
    quantity(
      'AVAX',
      'Price of one ggAVAX: the redemption rate in `/prices/history`, the market price in `/prices/{dex}/history`.',
    ),
  ),
  ggAvaxInUSD: z.optional(quantity('USD', 'Price of one ggAVAX: `ggAvaxInAVAX` × `avaxInUSD`.')),
});

/** The prices of a data point of a history. */
export const priceHistoryFields = () => ({
  ...priceFields(),
  eurInUSD: z.optional(quantity('USD', 'Price of one euro, from Chainlink.')),
});

/** The price in the total value locked. */
export const oraclePrice = () =>
  z.optional(quantity('AVAX', "Price of one GGP that the protocol's contracts use. It is the one in `tvl_avax`."));

/** The body of such a data point; the euro's price is the same for all exchanges. */
export function priceHistoryBody(prices: ExchangePrices, eurInUSD: bigint | undefined) {
  return { ...pricesBody(prices), eurInUSD: ifKnown(toNumber, eurInUSD) };
}

export function pricesBody({ avaxInUSD, ggpInAVAX, ggAvaxInAVAX }: ExchangePrices) {
  const inUSD = (price: bigint | undefined) => ifKnown(toNumber, ifKnown(mulWad, price, avaxInUSD));
  return {
    avaxInUSD: ifKnown(toNumber, avaxInUSD),
    ggpInAVAX: ifKnown(toNumber, ggpInAVAX),
    ggpInUSD: inUSD(ggpInAVAX),
    ggAvaxInAVAX: ifKnown(toNumber, ggAvaxInAVAX),
    ggAvaxInUSD: inUSD(ggAvaxInAVAX),
  };
}
