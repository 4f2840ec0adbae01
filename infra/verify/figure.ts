/** Figures of answers, in the forms that the service gives them. Shares no code with it. */

import { formatUnits } from 'ethers';
import type { ChainAt, ChainSource } from './chain.ts';

/** One figure: its place in the body, the value there, and the value on the chain. Undefined means omitted. */
export interface Figure {
  field: string;
  served: unknown;
  expected: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that has been validated against its schema
export type Json = any;
/** `chain` is the chain at the body's block, `source` that at other blocks, for bodies that name several. */
export type Figures = (body: Json, chain: ChainAt, source: ChainSource) => Promise<Figure[]>;

export const WAD = 10n ** 18n;
/** Only this many items of a list or history are compared, because lists are long. */
const ITEMS = 10;

/** The smaller of two amounts. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** An amount as an exact decimal string. */
export function tokens(wei: bigint | undefined, decimals = 18): string | undefined {
  return wei === undefined ? undefined : formatUnits(wei, decimals).replace(/\.0$/, '');
}

/** An amount as a number, rounded to 12 digits, half away from zero. */
export function number(value: bigint, decimals?: number): number;
export function number(value: bigint | undefined, decimals?: number): number | undefined;
export function number(value: bigint | undefined, decimals = 18): number | undefined {
  if (value === undefined) return undefined;
  const unit = 10n ** BigInt(Math.max(0, value.toString().length - 12));
  return Number(formatUnits(((value + unit / 2n) / unit) * unit, decimals));
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

/**
 * The expected value of a number that is computed with doubles. Returns the served value if the two agree to a billionth.
 */
export function about(expected: number, served: number | undefined): number {
  return served !== undefined && Math.abs(served - expected) <= 1e-9 * Math.abs(expected) ? served : expected;
}

export async function each<T>(name: string, items: readonly T[], compare: (item: T, at: string) => Promise<Figure[]>) {
  return (await Promise.all(items.slice(0, ITEMS).map((item, index) => compare(item, `${name}[${index}].`)))).flat();
}
