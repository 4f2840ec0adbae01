/** Figures of answers, in the forms that the service gives them. */

import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount, toNumber } from '../../lib/values/amounts.ts';
import { sum } from '../../lib/values/wad.ts';
import type { ChainAt, ChainSource } from './chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of a service
export type Json = any;
type Figure = { field: string; served: unknown; expected: unknown };

/**
 * Returns the fields of a body that the contracts determine, with their values at the body's block. `source` is the chain
 * at other blocks, for bodies that name several.
 */
export type Expected = (body: Json, chain: ChainAt, source: ChainSource) => Promise<Json>;

/**
 * The expected fields of a body (undefined means omitted), with the values served. Places are names and indexes; a list has
 * as many items as expected.
 */
export function figuresIn(served: Json, expected: Json, places: readonly string[] = []): Figure[] {
  if (typeof expected !== 'object') return [{ field: places.join('.'), served, expected }];
  const fields = Array.isArray(expected) ? { ...expected, length: expected.length } : expected;
  return Object.entries(fields).flatMap(([name, value]) => figuresIn(served?.[name], value, [...places, name]));
}

/** Only this many items of a list are compared, because lists are long. */
export const ITEMS = 10;

export async function firstItems(items: readonly Json[], expect: (item: Json) => Promise<Json>): Promise<Json> {
  return { ...(await Promise.all(items.slice(0, ITEMS).map(expect))) };
}

export const tokens = (wei: bigint | undefined) => ifKnown((known: bigint) => formatAmount(known), wei);

export function number(value: bigint | undefined, decimals?: number): number | undefined {
  return value === undefined ? undefined : toNumber(value, decimals);
}

/** Fields of a record of a contract that the answer has by the same names, in the form of the answer. */
export function named<Form>(record: Json, form: (value: bigint) => Form, ...names: string[]): Record<string, Form> {
  return Object.fromEntries(names.map((name) => [name, form(record[name])]));
}

export const sumOf = (records: readonly Json[], field: string) => sum(records.map((record) => record[field]));
