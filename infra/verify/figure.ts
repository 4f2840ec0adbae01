/** Figures of answers, in the forms that the service gives them. */

import { formatAmount, toNumber } from '../../lib/values/amounts.ts';
import type { ChainAt, ChainSource } from './chain.ts';

/** One figure: its place in the body, the value there, and the value on the chain. Undefined means omitted. */
export interface Figure {
  field: string;
  served: unknown;
  expected: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a service
export type Json = any;
/** `chain` is the chain at the body's block, `source` that at other blocks, for bodies that name several. */
export type Figures = (body: Json, chain: ChainAt, source: ChainSource) => Promise<Figure[]>;

/** Only this many items of a list are compared, because lists are long. */
const ITEMS = 10;

/** An amount as an exact decimal string. */
export function tokens(wei: bigint | undefined): string | undefined {
  return wei === undefined ? undefined : formatAmount(wei);
}

/** An amount as a number of twelve digits. */
export function number(value: bigint | undefined, decimals?: number): number | undefined {
  return value === undefined ? undefined : toNumber(value, decimals);
}

export function integer(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Fields of a record of a contract that the answer has by the same names, in the form of the answer. */
export function named<Form>(record: Json, form: (value: bigint) => Form, ...names: string[]): Record<string, Form> {
  return Object.fromEntries(names.map((name) => [name, form(record[name])]));
}

/** The figures of an object. `at` is its place in the body. */
export function figures(at: string, served: Json, expected: Record<string, unknown>): Figure[] {
  return Object.entries(expected).map(([field, value]) => ({
    field: at + field,
    served: served?.[field],
    expected: value,
  }));
}

/** The expected value of a number that is computed with doubles: the served one, if the two agree to a billionth. */
export function about(expected: number, served: number | undefined): number {
  return served !== undefined && Math.abs(served - expected) <= 1e-9 * Math.abs(expected) ? served : expected;
}

/** The sum of a field of records. */
export function sumOf(records: readonly Json[], field: string): bigint {
  return records.reduce((total, record) => total + record[field], 0n);
}

export async function each<T>(name: string, items: readonly T[], compare: (item: T, at: string) => Promise<Figure[]>) {
  return (await Promise.all(items.slice(0, ITEMS).map((item, index) => compare(item, `${name}[${index}].`)))).flat();
}
