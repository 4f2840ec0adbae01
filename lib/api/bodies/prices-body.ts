import { type DayPrices, type Money, valueAt } from '../../history/day-prices.ts';
import type { Point } from '../../history/point.ts';
import { PRICE_VALUES } from '../../history/point-values.ts';
import { EXCHANGES } from '../../prices/exchanges.ts';
import type { ExchangePrices } from '../../prices/market.ts';
import { WAD } from '../../values/wad.ts';
import { object } from '../fields.ts';
import { pointFields } from '../history.ts';
import { nameParam } from '../params.ts';
import type { Reason } from '../reasons.ts';
import { avaxNumber, eur, usd } from '../units.ts';

/** The path parameter that names an exchange, by its code or an alias, in any case. */
export function dexParam() {
  const names = EXCHANGES.map(({ code, aliases }) => `\`${code}\` (or \`${aliases.join('`, `')}\`)`);
  const accepted = EXCHANGES.flatMap(({ code, aliases }) => [code, ...aliases]);
  return nameParam(accepted, `Exchange code or alias, in any letter case: ${names.join('; ')}.`, 'Dex');
}

/** The meaning of the oracle's price, which the total value locked uses. */
export const ORACLE_PRICE = `${PRICE_VALUES.ggpOraclePriceInAVAX.meaning} It is the one in \`tvl_avax\`.`;

/** The value in USD of an amount of AVAX, at the price in the same source. */
export function inUSD<Source extends DayPrices>(meaning: string, amount: (source: Source) => bigint | undefined) {
  return usd.optional(meaning, (source: Source) => valueAt(amount(source), 'avaxInUSD', source).usd);
}

export function inEUR<Source extends DayPrices>(meaning: string, amount: (source: Source) => bigint | undefined) {
  return eur.optional(meaning, (source: Source) => valueAt(amount(source), 'avaxInUSD', source).eur);
}

/** The value of an operator's income on its day: of a distribution, a claim, or a minipool's reward. */
export function income(what: string) {
  return object<Partial<Money>>()({
    usd: usd.optional(`Value of ${what} at the prices at the end of the UTC day, if recorded.`),
    eur: eur.optional('`usd` in EUR at the end of the day, if recorded.'),
  }).fields;
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

export const PRICE_POINT = object<Point & Prices>('PriceHistoryPoint')({
  ...pointFields,
  ...PRICE_HISTORY.fields,
});
