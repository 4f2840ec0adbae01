import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { parseInput } from '../../../lib/api/http/input.ts';
import { page, pageParams, sorted } from '../../../lib/api/lists.ts';
import { requestWith } from './request.ts';

interface Item {
  name: string;
  stake: bigint;
  uptime?: number;
}

const KEYS = { stake: ({ stake }: Item) => stake, uptime: ({ uptime }: Item) => uptime };

const ITEMS: Item[] = [
  { name: 'a', stake: 2n, uptime: 80 },
  { name: 'b', stake: 10n },
  { name: 'c', stake: 2n, uptime: 99.5 },
  { name: 'd', stake: 1n, uptime: 0 },
];

const names = (items: readonly Item[]) => items.map(({ name }) => name).join('');

describe('sorting', () => {
  test.each([
    ['stake', 'asc', 'dacb'],
    ['stake', 'desc', 'bacd'],
    ['uptime', 'asc', 'dacb'],
    ['uptime', 'desc', 'cadb'],
  ] as const)(
    'by %s %s keeps the order of equal items and puts items without the value last',
    (sort, order, expected) => {
      expect(names(sorted(ITEMS, KEYS, { sort, order }))).toBe(expected);
    },
  );
});

describe('paging', () => {
  const same = <Value>(value: Value) => value;
  const numbers = Array.from({ length: 25 }, (_, index) => index);

  test.each([
    ['everything', undefined, 0, 25],
    ['the first page', 10, 0, 10],
    ['the last page', 10, 20, 5],
    ['a page beyond the end', 10, 30, 0],
    ['no entries', 0, 0, 0],
    ['all but the first', undefined, 1, 24],
  ])('%s (limit %s, offset %d) has %d entries', (_name, limit, offset, length) => {
    const { items, total, nextCursor } = page(numbers, { limit, offset }, same);
    expect(total).toBe(25);
    expect(items).toEqual(numbers.slice(offset, offset + length));
    const end = offset + length;
    expect(nextCursor).toBe(length > 0 && end < numbers.length ? `${end}-${end}` : undefined);
  });

  test('pages of any size add up to the whole list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), (items, limit) => {
        const pages = Math.ceil(items.length / limit);
        const all = Array.from(
          { length: pages },
          (_, index) => page(items, { limit, offset: index * limit }, same).items,
        );
        expect(all.flat()).toEqual(items);
      }),
    );
  });

  describe('by a cursor', () => {
    const LIST = ['a', 'b', 'c', 'd', 'e', 'f'];
    const input = z.object(pageParams);
    const parse = (query: Record<string, string[]>) => parseInput(input, requestWith({ query }));
    const at = (items: readonly string[], cursor = '', query: Record<string, string[]> = {}) =>
      page(items, parse({ limit: ['2'], ...query, ...(cursor && { cursor: [cursor] }) }), same);

    test('goes on where the page before ended, from the offset that the first one had', () => {
      const first = at(LIST, '', { offset: ['1'] });
      expect(first).toMatchObject({ items: ['b', 'c'], nextCursor: '3-d' });
      const second = at(LIST, first.nextCursor, { offset: ['1'] });
      expect(second).toMatchObject({ items: ['d', 'e'], nextCursor: '5-f' });
      expect(at(LIST, second.nextCursor)).toMatchObject({ items: ['f'], nextCursor: undefined });
    });

    test('neither skips nor repeats entries if others before them have come or gone', () => {
      expect(at(['c', 'd', 'e', 'f'], '2-c').items).toEqual(['c', 'd']);
      expect(at(['z', 'y', ...LIST], '2-c').items).toEqual(['c', 'd']);
    });

    test('takes the position of an entry that is gone, and the entry at the position of several with its key', () => {
      expect(at(['a', 'b', 'd', 'e'], '2-c').items).toEqual(['d', 'e']);
      expect(at(LIST, '9-z').items).toEqual([]);
      expect(at(['a', 'a', 'a', 'b'], '2-a').items).toEqual(['a', 'b']);
    });

    test('refuses what is no cursor', () => {
      expect(() => parse({ cursor: ['2'] })).toThrow('cursor must be the nextCursor of a previous page.');
    });
  });
});
