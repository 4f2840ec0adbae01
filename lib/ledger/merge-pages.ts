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

/** The first `wanted` entries of several readers that have no entry in common; fewer only if there are no more. */
export async function merge(
  pages: readonly AsyncIterable<Entry[]>[],
  wanted: number,
  isForwards: boolean,
): Promise<Entry[]> {
  const readers = pages.map(entriesIn);
  const next = await Promise.all(readers.map((reader) => reader.next()));
  const merged: Entry[] = [];
  while (merged.length < wanted) {
    const open = next.flatMap(({ done, value }, place) => (done ? [] : { entry: value as Entry, place }));
    const [first] = open.sort((a, b) => (isForwards ? 1 : -1) * inChain(a.entry, b.entry));
    if (!first) break;
    merged.push(first.entry);
    if (merged.length < wanted) next[first.place] = await (readers[first.place] as (typeof readers)[number]).next();
  }
  return merged;
}

async function* entriesIn(pages: AsyncIterable<Entry[]>): AsyncGenerator<Entry, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

export function inChain(a: Entry, b: Entry): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}
