/** Reads the entries of several subjects in one order, with few rows that are not used. */

import type { Coverage } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import type { Entry } from './ledger-entry.ts';
import { positionOf } from './rows.ts';

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

/**
 * Reads a subject's next entries, after a position or from its start. `more` is true if there may be further ones; it is
 * false if `rows` is empty.
 */
export type ReadNext = (
  subject: string,
  after: string | undefined,
  limit: number,
) => Promise<{ rows: Entry[]; more: boolean }>;

/** Fewer rows than this cost as much to read: one read unit. */
const LEAST_ROWS = 10;
/** More do not fit a page of the table. */
const MOST_ROWS = 2_000;

/**
 * The first `wanted` entries after a position, of subjects that have no entry in common; fewer only if there are no more.
 * Most often one subject has most of them: after a subject's rows run out, twice as many are read.
 */
export async function readMerged(
  subjects: readonly string[],
  { after, wanted, isForwards }: { after: string | undefined; wanted: number; isForwards: boolean },
  readNext: ReadNext,
): Promise<Entry[]> {
  const first = subjects.length === 1 ? wanted : LEAST_ROWS;
  const sources = subjects.map((subject) => ({ subject, after, limit: first, rows: [] as Entry[], more: true }));
  const merged: Entry[] = [];
  while (merged.length < wanted) {
    const empty = sources.filter(({ rows, more }) => rows.length === 0 && more);
    await Promise.all(
      empty.map(async (source) => {
        const limit = Math.min(source.limit, Math.max(LEAST_ROWS, wanted - merged.length), MOST_ROWS);
        const { rows, more } = await readNext(source.subject, source.after, limit);
        const last = rows.at(-1);
        if (last) source.after = positionOf(last);
        Object.assign(source, { rows, more, limit: source.limit * 2 });
      }),
    );
    const next = sources
      .filter(({ rows }) => rows.length > 0)
      .sort((a, b) => (isForwards ? 1 : -1) * inChain(a.rows[0] as Entry, b.rows[0] as Entry))[0];
    if (!next) break;
    merged.push(next.rows.shift() as Entry);
  }
  return merged;
}

function inChain(a: Entry, b: Entry): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}
