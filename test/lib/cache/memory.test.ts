import { describe, expect, test } from '@jest/globals';
import { type CacheEntry, MAX_BYTES, MemoryStore, VALUE_TYPE } from '../../../lib/cache/cache-entry.ts';

/** An entry counts as its body's bytes, its key's length and 500 more. */
const entry = (bytes: number): CacheEntry => ({
  body: new Uint8Array(bytes),
  gzip: false,
  contentType: 'text/plain',
  etag: 'x',
  storedAt: 0,
  freshUntil: 0,
  maxAge: 0,
  staleUntil: 0,
});

const kept = (store: MemoryStore, ...keys: string[]) => keys.filter((key) => store.get(key) !== undefined);

/** A part of the store's size in entries, with what counts beside their bodies. */
const partOf = (count: number, factor = 1) => Math.floor((MAX_BYTES / count - 501) / factor);

describe('the memory store', () => {
  test('keeps entries up to its size, to the byte', () => {
    const store = new MemoryStore();
    store.set('a', entry(partOf(2)));
    store.set('b', entry(partOf(2)));
    expect(kept(store, 'a', 'b')).toEqual(['a', 'b']);
    store.set('b', entry(partOf(2) + 1));
    expect(kept(store, 'a', 'b')).toEqual(['b']);
  });

  test('evicts the least recently used entry', () => {
    const store = new MemoryStore();
    for (const key of ['a', 'b', 'c']) store.set(key, entry(partOf(3)));
    store.get('a');
    store.set('d', entry(partOf(3)));
    expect(kept(store, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
  });

  test('does not keep an entry larger than itself, and evicts the others', () => {
    const store = new MemoryStore();
    store.set('a', entry(100));
    store.set('b', entry(MAX_BYTES));
    expect(kept(store, 'a', 'b')).toEqual([]);
  });

  test('counts a value ten times, because it also holds the deserialized value', () => {
    const store = new MemoryStore();
    for (const key of ['a', 'b']) store.set(key, { ...entry(partOf(2, 10)), contentType: VALUE_TYPE });
    expect(kept(store, 'a', 'b')).toEqual(['a', 'b']);
    store.set('c', entry(100));
    expect(kept(store, 'a', 'b', 'c')).toEqual(['b', 'c']);
  });
});
