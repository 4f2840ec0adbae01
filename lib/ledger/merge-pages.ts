/** Pages of entries, and the entries of several subjects in one order. */

import type { Coverage } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import type { Entry } from './ledger-entry.ts';

/** Query for a page of a subject's entries. */
export interface PageQuery {
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
  type?: readonly EntryType[] | undefined;
  limit: number;
  /** `asc`: the oldest first. Default: the newest first. */
  order?: 'asc' | 'desc';
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** The `lastCursor` of the page before, with the oldest first. */
  after?: string | undefined;
}

export interface Page {
  entries: Entry[];
  /** Cursor of the next page; missing on the last page. */
  nextCursor?: string;
  /** Cursor to continue from, the oldest first: entries up to it are on this page or earlier ones, if the order was `asc`. */
  lastCursor: string;
  coverage: Coverage;
}

/** Fewer rows than this cost as much to read: one read unit. */
export const LEAST_ROWS = 10;

/** The first `wanted` entries of several readers that have no entry in common; fewer only if there are no more. */
export async function merge(
  pages: readonly AsyncGenerator<Entry[]>[],
  wanted: number,
  isForwards: boolean,
): Promise<Entry[]> {
  const left = pages.map((reader) => ({ reader, entries: [] as Entry[] }));
  const merged: Entry[] = [];
  while (merged.length < wanted) {
    await Promise.all(
      left.map(async (source) => {
        for (let isDone: boolean | undefined; source.entries.length === 0 && !isDone; ) {
          const { value, done } = await source.reader.next();
          [source.entries, isDone] = [value ?? [], done];
        }
      }),
    );
    const next = left
      .filter(({ entries }) => entries.length > 0)
      .sort((a, b) => (isForwards ? 1 : -1) * inChain(a.entries[0] as Entry, b.entries[0] as Entry))[0];
    if (!next) break;
    merged.push(next.entries.shift() as Entry);
  }
  return merged;
}

function inChain(a: Entry, b: Entry): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}
