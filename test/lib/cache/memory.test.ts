import { describe, expect, test } from '@jest/globals';
import { type CacheEntry, MemoryStore, VALUE_TYPE } from '../../../lib/cache/cache-entry.ts';

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

describe('the memory store', () => {
  test('keeps entries up to its size, to the byte', () => {
    const store = new MemoryStore(2 * 601);
    store.set('a', entry(100));
    store.set('b', entry(100));
    expect(kept(store, 'a', 'b')).toEqual(['a', 'b']);
    const tighter = new MemoryStore(2 * 601 - 1);
    tighter.set('a', entry(100));
    tighter.set('b', entry(100));
    expect(kept(tighter, 'a', 'b')).toEqual(['b']);
  });

  test('evicts the least recently used entry', () => {
    const store = new MemoryStore(3 * 601);
    for (const key of ['a', 'b', 'c']) store.set(key, entry(100));
    store.get('a');
    store.set('d', entry(100));
    expect(kept(store, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
  });

  test('does not keep an entry larger than itself, and evicts the others', () => {
    const store = new MemoryStore(1_000);
    store.set('a', entry(100));
    store.set('b', entry(1_000));
    expect(kept(store, 'a', 'b')).toEqual([]);
  });

  test('counts a value ten times, because it also holds the deserialized value', () => {
    const store = new MemoryStore(2 * 1_501);
    for (const key of ['a', 'b']) store.set(key, { ...entry(100), contentType: VALUE_TYPE });
    expect(kept(store, 'a', 'b')).toEqual(['a', 'b']);
    store.set('c', entry(100));
    expect(kept(store, 'a', 'b', 'c')).toEqual(['b', 'c']);
  });
});
