import { type DayPrices, valueAt } from '../../history/day-prices.ts';
import { PRICE_VALUES } from '../../history/point-values.ts';
import type { HistoryPoint } from '../../history/read-history.ts';
import type { ExchangePrices } from '../../prices/market.ts';
import { WAD } from '../../values/wad.ts';
import { object } from '../fields.ts';
import { pointFields } from '../history.ts';
import type { Reason } from '../reasons.ts';
import { avaxNumber, eur, usd } from '../units.ts';

/** The meaning of the oracle's price, which the total value locked uses. */
export const ORACLE_PRICE = `${PRICE_VALUES.ggpOraclePriceInAVAX.meaning} It is the one in \`tvl_avax\`.`;

/** The value in USD of an amount of AVAX, at the price in the same source. */
export function inUSD<Source extends DayPrices>(meaning: string, amount: (source: Source) => bigint | undefined) {
  return usd.optional(meaning, (source: Source) => valueAt(amount(source), 'avaxInUSD', source).usd);
}

export function inEUR<Source extends DayPrices>(meaning: string, amount: (source: Source) => bigint | undefined) {
  return eur.optional(meaning, (source: Source) => valueAt(amount(source), 'avaxInUSD', source).eur);
}

export interface Prices extends ExchangePrices {
  /** USD for one euro. */
  eurInUSD?: bigint | undefined;
}

/** The fields of prices; `meanings` describes some of them, `missing` is the reason for those that others follow from. */
export function pricesIn(meanings: Record<'avaxInUSD' | 'ggpInAVAX' | 'ggAvaxInAVAX', string>, missing?: Reason) {
  return object<Prices>()({
    avaxInUSD: usd.optional(meanings.avaxInUSD, ({ avaxInUSD }) => avaxInUSD, missing),
    ggpInAVAX: avaxNumber.optional(meanings.ggpInAVAX, ({ ggpInAVAX }) => ggpInAVAX, missing),
    ggpInUSD: inUSD('Price of one GGP: `ggpInAVAX` × `avaxInUSD`.', ({ ggpInAVAX }) => ggpInAVAX),
    ggAvaxInAVAX: avaxNumber.optional(meanings.ggAvaxInAVAX, ({ ggAvaxInAVAX }) => ggAvaxInAVAX, missing),
    ggAvaxInUSD: inUSD('Price of one ggAVAX: `ggAvaxInAVAX` × `avaxInUSD`.', ({ ggAvaxInAVAX }) => ggAvaxInAVAX),
    eurInUSD: usd.optional(PRICE_VALUES.eurInUSD.meaning, ({ eurInUSD }) => eurInUSD, 'NO_PRICE'),
    avaxInEUR: inEUR('`avaxInUSD` at `eurInUSD`.', () => WAD),
    ggpInEUR: inEUR('`ggpInUSD` at `eurInUSD`.', ({ ggpInAVAX }) => ggpInAVAX),
    ggAvaxInEUR: inEUR('`ggAvaxInUSD` at `eurInUSD`.', ({ ggAvaxInAVAX }) => ggAvaxInAVAX),
  }).fields;
}

export const PRICE_HISTORY = object<Prices>()(
  pricesIn({
    avaxInUSD: PRICE_VALUES.avaxInUSD.meaning,
    ggpInAVAX: PRICE_VALUES.ggpInAVAX.meaning,
    ggAvaxInAVAX:
      'Price of one ggAVAX: the redemption rate in `/prices/history`, the market price in `/prices/{dex}/history`.',
  }),
);

export const PRICE_POINT = object<HistoryPoint & Prices>('PriceHistoryPoint')({
  ...pointFields,
  ...PRICE_HISTORY.fields,
});
