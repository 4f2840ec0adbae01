/** Pages of a subject's entries, as clients ask for them. */

import { END_OF_TIME } from '../values/durations.ts';
import type { Coverage } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import { dustOf, type Entry, inChain, typedSubject } from './ledger-entry.ts';
import type { LedgerStore } from './ledger-store.ts';
import { endOf, nextTo, positionOf, startOf } from './rows.ts';

/** After all logs of a block. */
const LAST_INDEX = 999_999;

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

/** A page of a subject's entries in the covered blocks. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
export async function readPage(
  ledger: LedgerStore,
  subject: string,
  { from = 0, to = END_OF_TIME, type: types, limit, order, ...start }: PageQuery,
): Promise<Page> {
  // The state first, then the rows: rows are written before they are covered.
  const { coverage } = await ledger.progress.latest();
  const isForwards = order === 'asc';
  const after = start.after ?? start.cursor;
  const { toBlock: block, toTimestamp: timestamp } = coverage;
  const end = isForwards && to < timestamp ? endOf(to) : positionOf({ block, timestamp, logIndex: LAST_INDEX });
  if (limit === 0) {
    const nothing = isForwards ? (after ?? endOf(Math.max(0, from - 1))) : end;
    return { entries: [], lastCursor: nothing, coverage };
  }
  const subjects = types ? types.map((type) => typedSubject(subject, type)) : [subject];
  if (!types && subject.startsWith('holder#')) subjects.push(dustOf(subject));
  const next = after === undefined ? undefined : nextTo(after, isForwards);
  const range = {
    start: isForwards && next && next > startOf(from) ? next : startOf(from),
    end: !isForwards && next && next < endOf(to) ? next : endOf(to),
    isForwards,
    limit: limit + 1,
  };
  const ofEach = subjects.map((one) => readFirst(range.limit, ledger.pages(one, coverage, range)));
  const found = (await Promise.all(ofEach)).flat().sort((a, b) => (isForwards ? inChain(a, b) : inChain(b, a)));
  const entries = found.slice(0, limit);
  if (found.length > limit) {
    const nextCursor = positionOf(entries.at(-1) as Entry);
    return { entries, nextCursor, lastCursor: isForwards ? nextCursor : end, coverage };
  }
  return { entries, lastCursor: isForwards && after !== undefined && after > end ? after : end, coverage };
}

/** The first entries: `count` or more, fewer only if there are no more. */
async function readFirst(count: number, pages: AsyncIterable<Entry[]>): Promise<Entry[]> {
  const first: Entry[] = [];
  for await (const page of pages) {
    first.push(...page);
    if (first.length >= count) break;
  }
  return first;
}
