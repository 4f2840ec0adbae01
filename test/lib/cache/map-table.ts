import type { CacheEntry, SharedStore } from '../../../lib/cache/cache-entry.ts';
import type { Clock } from '../../../lib/runtime/clock.ts';

export interface MapTable extends SharedStore {
  items: Map<string, CacheEntry>;
  leases: Map<string, { token: string; until: number }>;
  /** The operations requested, in order. */
  asked: string[];
}

/** A table that never fails, and whose leases expire by this clock. */
export function mapTable(clock: Clock): MapTable {
  const items = new Map<string, CacheEntry>();
  const leases = new Map<string, { token: string; until: number }>();
  const asked: string[] = [];
  // A copy, as from a table.
  const find = (key: string): CacheEntry | undefined => {
    const item = items.get(key);
    return item && { ...item, leaseUntil: leases.get(key)?.until };
  };
  return {
    items,
    leases,
    asked,
    async read(key) {
      asked.push('read');
      return find(key);
    },
    async write(key, entry) {
      asked.push('write');
      items.set(key, entry);
      leases.delete(key);
    },
    async lease(key, _seen, leaseMs) {
      asked.push(`lease ${leaseMs}`);
      const held = leases.get(key);
      if (held && clock.now() <= held.until) return undefined;
      const token = `token-${asked.length}`;
      leases.set(key, { token, until: clock.now() + leaseMs });
      return token;
    },
    async release(key, token) {
      asked.push(`release ${token}`);
      if (leases.get(key)?.token === token) leases.delete(key);
    },
    ping: async () => true,
  };
}
