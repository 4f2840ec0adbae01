/** The entries of several subjects in one order, read so that little is read in vain. */

import type { Entry } from './ledger-entry.ts';
import { positionOf } from './rows.ts';

/** Reads a subject's next entries, after a position or from its start, and tells whether there are more. None: no more. */
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
 * The first `wanted` entries after a position of subjects that have none in common; fewer only if there are no more.
 * Most often one subject has most of them: a subject whose rows run out is asked for twice as many.
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
