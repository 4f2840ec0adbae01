/** Rows as DynamoDB's attributes, and back: like `@aws-sdk/util-dynamodb`, for the types that are used here. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Row, Value } from './series-table.ts';

export type Item = Record<string, AttributeValue>;

export function marshall(row: Row): Item {
  const known = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, toAttribute(value as Value)]));
}

function toAttribute(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' || typeof value === 'bigint') return { N: String(value) };
  if (value instanceof Set) return { SS: [...value] };
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: marshall(value as Row) };
}

/** The row of an item. Attributes of other types, which nothing here writes, are left out. */
export function unmarshall(item: Item): Row {
  const row: Record<string, Value | undefined> = {};
  for (const name in item) row[name] = valueIn(item[name] as AttributeValue);
  return row;
}

function valueIn({ S, N, M, SS, L }: AttributeValue): Value | undefined {
  if (S !== undefined) return S;
  if (N !== undefined) return parseNumber(N);
  if (M !== undefined) return unmarshall(M) as Value;
  if (SS !== undefined) return new Set(SS);
  return L?.map(valueIn).filter((value) => value !== undefined);
}

/** The number in a text. Never throws: engines also write large integers as `1e+30`, a damaged value kept as number. */
function parseNumber(text: string): number | bigint {
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);
}
