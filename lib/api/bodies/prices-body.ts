import { valueAt } from '../../history/day-prices.ts';
import { PRICE_VALUES } from '../../history/point-values.ts';
import type { HistoryPoint } from '../../history/read-history.ts';
import type { ExchangePrices } from '../../prices/market.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { divWad } from '../../values/wad.ts';
import { object } from '../fields.ts';
import { pointFields } from '../history.ts';
import type { Reason } from '../reasons.ts';
import { avaxNumber, eur, usd } from '../units.ts';

/** The meaning of the oracle's price, which the total value locked uses. */
export const ORACLE_PRICE = `${PRICE_VALUES.ggpOraclePriceInAVAX.meaning} It is the one in \`tvl_avax\`.`;

export interface PricesInEUR extends ExchangePrices {
  /** USD for one euro. */
  eurInUSD?: bigint | undefined;
}

export const pricesInEUR = {
  eurInUSD: usd.optional(PRICE_VALUES.eurInUSD.meaning, ({ eurInUSD }: PricesInEUR) => eurInUSD, 'NO_PRICE'),
  avaxInEUR: eur.optional('`avaxInUSD` at `eurInUSD`.', ({ avaxInUSD, eurInUSD }: PricesInEUR) =>
    ifKnown(divWad, avaxInUSD, eurInUSD),
  ),
  ggpInEUR: eur.optional(
    '`ggpInUSD` at `eurInUSD`.',
    (prices: PricesInEUR) => valueAt(prices.ggpInAVAX, 'avaxInUSD', prices).eur,
  ),
  ggAvaxInEUR: eur.optional(
    '`ggAvaxInUSD` at `eurInUSD`.',
    (prices: PricesInEUR) => valueAt(prices.ggAvaxInAVAX, 'avaxInUSD', prices).eur,
  ),
};

export const PRICE_HISTORY = object<PricesInEUR>()({
  ...pricesIn({
    avaxInUSD: PRICE_VALUES.avaxInUSD.meaning,
    ggpInAVAX: PRICE_VALUES.ggpInAVAX.meaning,
    ggAvaxInAVAX:
      'Price of one ggAVAX: the redemption rate in `/prices/history`, the market price in `/prices/{dex}/history`.',
    ggAvaxInUSD: 'Price of one ggAVAX',
  }),
  ...pricesInEUR,
});

export const PRICE_POINT = object<HistoryPoint & PricesInEUR>('PriceHistoryPoint')({
  ...pointFields,
  ...PRICE_HISTORY.fields,
});

/** The fields of prices; `meanings` describes each of them, `missing` is the reason for those that others follow from. */
export function pricesIn(
  meanings: Record<'avaxInUSD' | 'ggpInAVAX' | 'ggAvaxInAVAX' | 'ggAvaxInUSD', string>,
  missing?: Reason,
) {
  return {
    avaxInUSD: usd.optional(meanings.avaxInUSD, ({ avaxInUSD }: ExchangePrices) => avaxInUSD, missing),
    ggpInAVAX: avaxNumber.optional(meanings.ggpInAVAX, ({ ggpInAVAX }: ExchangePrices) => ggpInAVAX, missing),
    ggpInUSD: usd.optional(
      'Price of one GGP: `ggpInAVAX` × `avaxInUSD`.',
      (prices: ExchangePrices) => valueAt(prices.ggpInAVAX, 'avaxInUSD', prices).usd,
    ),
    ggAvaxInAVAX: avaxNumber.optional(
      meanings.ggAvaxInAVAX,
      ({ ggAvaxInAVAX }: ExchangePrices) => ggAvaxInAVAX,
      missing,
    ),
    ggAvaxInUSD: usd.optional(
      `${meanings.ggAvaxInUSD}: \`ggAvaxInAVAX\` × \`avaxInUSD\`.`,
      (prices: ExchangePrices) => valueAt(prices.ggAvaxInAVAX, 'avaxInUSD', prices).usd,
    ),
  };
}
