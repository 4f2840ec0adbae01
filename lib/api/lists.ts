import * as z from 'zod/mini';
import { choiceParam, cursorParam, integerParam } from './params.ts';
import { integer, text } from './units.ts';

/** Maximum number of entries of a list: more than any list of this protocol or network has. */
const MAX_ITEMS = 1_000_000;

/** Values to sort by. Items without one come last, whatever the order. */
type SortKeys<Item, Name extends string> = Record<Name, (item: Item) => bigint | number | undefined>;

export function sortParams<Name extends string>(keys: SortKeys<never, Name>) {
  return {
    sort: z.optional(choiceParam(Object.keys(keys) as Name[], 'Value to sort by. Entries without it come last.')),
    order: z._default(choiceParam(['asc', 'desc'], 'Sort direction. Ignored without `sort`.', 'Order'), 'desc'),
  };
}

/** Equal items keep the order they have. */
export function sorted<Item, Name extends string>(
  items: readonly Item[],
  keys: SortKeys<Item, Name>,
  { sort, order }: { sort?: Name | undefined; order: 'asc' | 'desc' },
): readonly Item[] {
  if (!sort) return items;
  const sign = order === 'asc' ? 1 : -1;
  return items.toSorted((first, second) => {
    const [a, b] = [keys[sort](first), keys[sort](second)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return a === b ? 0 : a < b ? -sign : sign;
  });
}

/** The entry that a page begins with: the position it had in the list, and its key. */
type Cursor = { position: number; key?: string };

export const cursorParams = {
  limit: z.optional(integerParam(0, MAX_ITEMS, 'Most entries per page; 0 for none. Default: all, up to 4 MB.')),
  cursor: z.optional(
    cursorParam(/^[0-9]{1,7}-[0-9A-Za-z-]{1,64}$/, (text): Cursor => {
      const [position = '', ...key] = text.split('-');
      return { position: Number(position), key: key.join('-') };
    }),
  ),
};

/** {@link cursorParams} and `offset`, for the lists that have always had it. */
export const pageParams = {
  ...cursorParams,
  offset: z._default(integerParam(0, MAX_ITEMS, 'Number of entries to skip. Ignored with a `cursor`.'), 0),
};

export function nextCursor(more = '') {
  return text.optional(`Cursor of the next page. Omitted on the last page, and with \`limit=0\`.${more}`);
}

export interface Page<Item> {
  items: readonly Item[];
  total: number;
  nextCursor: string | undefined;
}

/**
 * One page of a list. `keyOf` identifies an item by letters, digits and hyphens, so that a page begins where the previous
 * page ended, although earlier entries have been added or removed.
 */
export function page<Item>(
  items: readonly Item[],
  { limit, offset = 0, cursor }: { limit?: number | undefined; offset?: number; cursor?: Cursor | undefined },
  keyOf: (item: Item) => string | number,
): Page<Item> {
  const { position, key } = cursor ?? { position: offset };
  const isFirst = (item: Item | undefined) => item !== undefined && String(keyOf(item)) === key;
  // An entry that is gone leaves its old position.
  const found = isFirst(items[position]) ? position : items.findIndex(isFirst);
  const start = found < 0 ? position : found;
  const end = limit === undefined ? items.length : start + limit;
  const next = items[end];
  return {
    items: items.slice(start, end),
    total: items.length,
    nextCursor: next === undefined || limit === 0 ? undefined : `${end}-${keyOf(next)}`,
  };
}

export function pageFields(total: string) {
  return { total: integer(total), nextCursor: nextCursor() };
}
