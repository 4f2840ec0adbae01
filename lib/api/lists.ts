import * as z from 'zod/mini';
import { type ApiError, badParameter } from '../runtime/errors.ts';
import { choiceParam, integerParam } from './params.ts';

/** What all lists have in common: how clients sort and page them, and how much of one fits in a response. */

/** Lambda's limit of a response is 6 MB; an uncompressed list keeps well below it. */
const MAX_LIST_BYTES = 4_000_000;
/** No list of this protocol or network comes near. */
const MAX_ITEMS = 1_000_000;

/** A value to sort by. Items without one come last, whatever the order. */
type SortValue = bigint | number | undefined;

/** The values that a list can be sorted by, under the names clients use. */
export type SortKeys<Item, Name extends string> = Record<Name, (item: Item) => SortValue>;

/** The parameters `sort` and `order`; without `sort` a list stays in the order it is kept in. */
export function sortParams<Name extends string>(keys: SortKeys<never, Name>) {
  return {
    sort: z.optional(
      choiceParam(Object.keys(keys) as Name[], 'Value to sort by. Entries without that value come last.'),
    ),
    order: z._default(
      choiceParam(
        ['asc', 'desc'],
        'Sort direction. Defaults to `desc`, largest first. Ignored without `sort`.',
        'Order',
      ),
      'desc',
    ),
  };
}

/** The items sorted; equal ones keep the order they have. */
export function sorted<Item, Name extends string>(
  items: readonly Item[],
  keys: SortKeys<Item, Name>,
  { sort, order }: { sort?: Name | undefined; order: 'asc' | 'desc' },
): readonly Item[] {
  if (!sort) return items;
  const sortValue = keys[sort];
  const sign = order === 'asc' ? 1 : -1;
  return items.toSorted((a, b) => compare(sortValue(a), sortValue(b), sign));
}

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (a === b) return 0;
  return a < b ? -sign : sign;
}

interface Page {
  limit?: number | undefined;
  offset: number;
}

/** The parameters `limit` and `offset`. */
export const pageParams = {
  limit: z.optional(
    integerParam(
      0,
      MAX_ITEMS,
      'Maximum number of entries to return. Without it, the whole list is returned. Responses larger than 4 MB are rejected.',
    ),
  ),
  offset: z._default(integerParam(0, MAX_ITEMS, 'Number of entries to skip. Defaults to 0.'), 0),
};

/** The entries of one page, as answered. Throws INVALID_REQUEST, naming `limit`, if they take more than 4 MB. */
export function page<Item, Entry>(
  items: readonly Item[],
  { limit, offset }: Page,
  toEntry: (item: Item) => Entry,
): Entry[] {
  const wanted = items.slice(offset, limit === undefined ? undefined : offset + limit);
  const entries: Entry[] = [];
  let bytes = 0;
  for (const item of wanted) {
    const entry = toEntry(item);
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    // No need to make the rest of a list that is too long already.
    if (bytes > MAX_LIST_BYTES) throw tooLong(wanted.length, limit);
    entries.push(entry);
  }
  return entries;
}

function tooLong(length: number, limit: number | undefined): ApiError {
  const message =
    limit === undefined
      ? `is required: the ${length} entries of this list do not fit in 4 MB`
      : `must be smaller: ${length} entries of this list do not fit in 4 MB`;
  return badParameter('limit', message);
}
