import { type CacheEntry, VALUE_TYPE } from './cache-entry.ts';

/** Maximum size in bytes, of a function's 1 GB of memory. */
const MAX_BYTES = 64_000_000;
/** Size of a deserialized value as a multiple of its compressed size (500 minipools: 50 kB and 460 kB, 2026-11). */
const VALUE_FACTOR = 10;
/** Bytes of an entry besides its body and key: the object, its strings, its slot in the map. */
const ENTRY_OVERHEAD_BYTES = 500;

/** An LRU cache of the entries this container has seen. */
export class MemoryStore {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): CacheEntry | undefined {
    const entry = this.#take(key);
    // A Map iterates in insertion order: moving the entry to the end keeps the order of use.
    if (entry) this.set(key, entry);
    return entry;
  }

  set(key: string, entry: CacheEntry): void {
    this.#take(key);
    this.#entries.set(key, entry);
    this.#bytes += costOf(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#take(oldest);
    }
  }

  #take(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry && this.#entries.delete(key)) this.#bytes -= costOf(key, entry);
    return entry;
  }
}

function costOf(key: string, { body, contentType }: CacheEntry): number {
  const bytes = contentType === VALUE_TYPE ? body.byteLength * VALUE_FACTOR : body.byteLength;
  return key.length + bytes + ENTRY_OVERHEAD_BYTES;
}
