/** What an address earned by calendar year (UTC) and source, and as a file that a tax form can be filled from. */

import { isoDay } from '../../../../lib/values/iso-time.ts';
import type { Entry, IncomeTotal, RewardDays, StakerCycles } from './bodies.ts';
import { counted, sumOf } from './format.ts';

export type Currency = 'usd' | 'eur';

export const SOURCES = {
  ggAvax: { name: 'ggAVAX', token: 'AVAX' },
  minipools: { name: 'Minipools', token: 'AVAX' },
  ggp: { name: 'GGP rewards', token: 'GGP' },
} as const;
export type Source = keyof typeof SOURCES;

/** The income of a year from a source. */
export interface Income {
  source: Source;
  amount: string;
  /** In the currency, each part at the price of its day; undefined if no part has a price. */
  value: number | undefined;
  /** The part that `value` lacks, for want of prices. */
  unpriced?: string;
}

/** A year, or several if what was earned cannot be divided between them. */
export interface Year {
  first: number;
  last: number;
  incomes: Income[];
  /** Whether it is not over. */
  isOpen: boolean;
}

interface Sources {
  /** By year, with values in both currencies. */
  rewards?: RewardDays | undefined;
  cycles?: StakerCycles | undefined;
  /** Events of the operator's minipools. */
  minipools: readonly Entry[];
}

/** A payment on a day. */
interface Payment {
  time: number;
  amount: string;
  value: number | undefined;
}

/** Significant digits of the API's values, and so of their sum. */
const DIGITS = 12;

/** The years with income, newest first. */
export function yearsOf({ rewards, cycles, minipools }: Sources, currency: Currency, now: number): Year[] {
  const thisYear = yearOf(now);
  const ofGgp = (cycles?.cycles ?? []).map(({ startTime, ggp, ...values }): Payment => {
    return { time: startTime, amount: ggp, value: values[currency] };
  });
  const ofMinipools = minipools.flatMap(({ timestamp, rewardAVAX, ...values }): Payment[] =>
    rewardAVAX === undefined
      ? []
      : [{ time: timestamp, amount: rewardAVAX as string, value: values[currency] as number | undefined }],
  );
  const entries = (rewards?.days ?? []).map((entry) => ({
    first: yearOf(entry.timestamp),
    last: yearOf(entry.closeTimestamp - 1),
    incomes: [rewardOf(entry, currency)],
  }));
  const years = [...ofGgp, ...ofMinipools].map(({ time }) => yearOf(time));
  const others = [...new Set(years)].filter(
    (year) => !entries.some(({ first, last }) => first <= year && year <= last),
  );
  return [...entries, ...others.map((year) => ({ first: year, last: year, incomes: [] }))]
    .map(({ first, last, incomes }) => {
      const isIn = ({ time }: Payment) => first <= yearOf(time) && yearOf(time) <= last;
      const paid = [...paymentsOf('minipools', ofMinipools.filter(isIn)), ...paymentsOf('ggp', ofGgp.filter(isIn))];
      return { first, last, incomes: [...incomes, ...paid], isOpen: last >= thisYear };
    })
    .toSorted((a, b) => b.first - a.first);
}

function rewardOf(entry: RewardDays['days'][number], currency: Currency): Income {
  const [value, from] = currency === 'usd' ? [entry.rewardUSD, entry.usdFrom] : [entry.rewardEUR, entry.eurFrom];
  const unpriced = value === undefined ? 'all' : from === undefined ? undefined : `before ${isoDay(from)}`;
  return { source: 'ggAvax', amount: entry.rewardAVAX, value, ...(unpriced && { unpriced }) };
}

function paymentsOf(source: Source, payments: readonly Payment[]): Income[] {
  if (payments.length === 0) return [];
  const priced = payments.flatMap(({ value }) => value ?? []);
  const unpriced = sumOf(payments.filter(({ value }) => value === undefined).map(({ amount }) => amount));
  return [
    {
      source,
      amount: sumOf(payments.map(({ amount }) => amount)),
      value: priced.length === 0 ? undefined : total(priced),
      ...(unpriced !== '0' && { unpriced: `${unpriced} ${SOURCES[source].token}` }),
    },
  ];
}

/** The years of the API's totals, which may be those of several addresses, newest first. */
export function yearsOfTotals(totals: readonly IncomeTotal[], now: number): Year[] {
  const byYear = Object.groupBy(totals, ({ year }) => year);
  return Object.entries(byYear)
    .map(([year, ofYear = []]) => {
      const bySource = Object.groupBy(ofYear, ({ source }) => source);
      const incomes = Object.values(bySource).flatMap((ofSource) => incomeOf(ofSource));
      return { first: Number(year), last: Number(year), incomes, isOpen: Number(year) >= yearOf(now) };
    })
    .toSorted((a, b) => b.first - a.first);
}

/** What totals of one year and source add up to. */
function incomeOf(totals: readonly IncomeTotal[]): Income[] {
  const missing = totals.reduce((sum, { missingPrices }) => sum + missingPrices, 0);
  return totals.slice(0, 1).map(({ source }) => ({
    source,
    amount: sumOf(totals.map(({ amount }) => amount)),
    value: valueIn(totals),
    ...(missing > 0 && { unpriced: counted(missing, 'day or event', 'days or events') }),
  }));
}

/** The sum of all values; undefined if none is known. */
export function valueIn(incomes: readonly { value?: number | undefined }[]): number | undefined {
  const known = incomes.flatMap(({ value }) => value ?? []);
  return known.length === 0 ? undefined : total(known);
}

function total(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(DIGITS));
}

/** `2025`, or `2024–2025` for what cannot be divided. */
export function nameOf({ first, last }: Year): string {
  return first === last ? `${first}` : `${first}–${last}`;
}

/** The years as a file: a row for each year and source. `at` is the day up to which a year that is not over is known. */
export function fileOf(years: readonly Year[], currency: Currency, at: number): string {
  const rows = years.flatMap((year) =>
    year.incomes.map(({ source, amount, value, unpriced }) => {
      const { name, token } = SOURCES[source];
      const until = year.isOpen ? isoDay(at) : `${year.last}-12-31`;
      return [nameOf(year), until, name, amount, token, value, currency.toUpperCase(), unpriced];
    }),
  );
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const COLUMNS = ['year', 'until', 'source', 'amount', 'token', 'value', 'currency', 'notInValue'];

function yearOf(time: number): number {
  return new Date(time * 1_000).getUTCFullYear();
}
