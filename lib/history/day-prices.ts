import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { divWad, mulWad } from '../values/wad.ts';
import type { HistoryContext } from './history-store.ts';
import type { PointValues } from './point-values.ts';
import { readRecordedRates } from './rates.ts';
import { boundaryFrom } from './series.ts';

/** Prices in USD, scaled by 1e18, at the end of a UTC day. */
export interface DayPrices extends Pick<PointValues, 'avaxInUSD' | 'eurInUSD'> {
  ggpInUSD?: bigint | undefined;
}

/** A value, scaled by 1e18. */
export type Money = Record<'usd' | 'eur', bigint | undefined>;

/** Value of an amount (wei) in USD and EUR at a day's prices of its token and of the euro. */
export function valueAt(amount: bigint | undefined, token: 'avaxInUSD' | 'ggpInUSD', prices: DayPrices): Money {
  const usd = ifKnown(mulWad, amount, prices[token]);
  return { usd, eur: ifKnown(divWad, usd, prices.eurInUSD) };
}

/** Returns prices at the end of the UTC day of a time (unix seconds); empty if that is not over, or not recorded. */
export type PricesOfDay = (time: number) => DayPrices;

/** Reads the recorded prices by day. All days are empty if the history is not available. */
export async function readDayPrices(context: HistoryContext): Promise<PricesOfDay> {
  return (await ifAvailable(context, 'recorded prices', () => readRecordedPrices(context))) ?? (() => ({}));
}

/** The same. Throws UPSTREAM_UNAVAILABLE without the table. */
export async function readRecordedPrices(context: HistoryContext): Promise<PricesOfDay> {
  const byTime = new Map((await readRecordedRates(context)).map((rate) => [rate.time, rate]));
  return (time) => {
    const { avaxInUSD, ggpInAVAX, eurInUSD } = byTime.get(boundaryFrom(time, '1d')) ?? {};
    return { avaxInUSD, ggpInUSD: ifKnown(mulWad, ggpInAVAX, avaxInUSD), eurInUSD };
  };
}
