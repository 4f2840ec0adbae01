/** Income of addresses by calendar year (UTC) and source, also as a file for a tax form. */

import { isoDay } from '../../../../lib/values/iso-time.ts';
import type { IncomeTotal } from './bodies.ts';
import { counted } from './format.ts';

export type Currency = 'usd' | 'eur';

/** Sources of income. `part`: the unit in which the API counts income without a price. */
export const SOURCES = {
  ggAvax: { name: 'ggAVAX', token: 'AVAX', part: 'day' },
  minipools: { name: 'Minipools', token: 'AVAX', part: 'payment' },
  ggp: { name: 'GGP rewards', token: 'GGP', part: 'cycle' },
} as const;
export type Source = keyof typeof SOURCES;

/** The income of a year from a source. */
interface Income {
  source: Source;
  amount: string;
  /** Value in the currency, each part at the price of its day; undefined if no part has a price. */
  value: number | undefined;
  /** Number of parts without a price, in words: `value` does not include them. Undefined if all have one. */
  unpriced: string | undefined;
}

export interface Year {
  year: number;
  incomes: Income[];
  /** True if the year is not over. */
  isOpen: boolean;
}

/** Significant digits of the API's values, and so of their sum. */
const DIGITS = 12;

/** The years of the API's totals, newest first, with their values in a currency. */
export function toYears(totals: readonly IncomeTotal[], currency: Currency, now: number): Year[] {
  const thisYear = new Date(now * 1_000).getUTCFullYear();
  const byYear = Object.entries(Object.groupBy(totals, ({ year }) => year));
  return byYear
    .map(([year, ofYear = []]) => ({
      year: Number(year),
      incomes: ofYear.map((total) => toIncome(total, currency)),
      isOpen: Number(year) >= thisYear,
    }))
    .toSorted((a, b) => b.year - a.year);
}

function toIncome({ source, amount, ...total }: IncomeTotal, currency: Currency): Income {
  const missing = currency === 'eur' ? total.unpricedEUR : total.unpricedUSD;
  return {
    ...{ source, amount },
    value: currency === 'eur' ? total.valueEUR : total.valueUSD,
    unpriced: missing > 0 ? counted(missing, SOURCES[source].part) : undefined,
  };
}

/** The sum of all known values; undefined if no value is known. */
export function valueIn(incomes: readonly { value?: number | undefined }[]): number | undefined {
  const known = incomes.flatMap(({ value }) => value ?? []);
  return known.length === 0 ? undefined : Number(known.reduce((sum, value) => sum + value, 0).toPrecision(DIGITS));
}

/** The years as a CSV file: a row for each year and source. `at`: the last day included of a year that is not over. */
export function toCsv(years: readonly Year[], currency: Currency, at: number): string {
  const rows = years.flatMap(({ year, incomes, isOpen }) =>
    incomes.map(({ source, amount, value, unpriced }) => {
      const { name, token } = SOURCES[source];
      const until = isOpen ? isoDay(at) : `${year}-12-31`;
      return [year, until, name, amount, token, value, currency.toUpperCase(), unpriced];
    }),
  );
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const COLUMNS = ['year', 'until', 'source', 'amount', 'token', 'value', 'currency', 'notInValue'];
