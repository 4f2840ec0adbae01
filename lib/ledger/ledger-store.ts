/**
 * `lib/ledger`: the events of the protocol's contracts, indexed once and kept in a table. `context.ledger` reads
 * pages of entries. Functions that read entries list `ledger` in their `reads`; only the ledger's recorder writes.
 */

import type { ChainContext } from '../chain/chain.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import { intact, type Warn } from '../tables/rows.ts';
import type { RangeOptions, Row, SeriesTable } from '../tables/series-table.ts';
import { LEDGER } from '../tables/table-schemas.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { Coverage } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import { dustOf, type Entry, type EntryOf, isHolder, listSubjects, subjectOf, typedSubject } from './ledger-entry.ts';
import { LedgerProgress } from './ledger-state.ts';
import { merge, type Page, type PageQuery } from './merge-pages.ts';
import { END, endOf, keyOf, type LedgerTable, nextTo, positionOf, startOf, toEntry, toRow } from './rows.ts';

/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 2_000;
/** Fewer rows than this cost as much to read: one read unit. */
const LEAST_ROWS = 10;
/** After all logs of a block. */
const LAST_INDEX = 999_999;

type BlockRange = Pick<Coverage, 'fromBlock' | 'toBlock'>;

export interface LedgerContext extends ChainContext {
  ledger: LedgerStore;
}

export function openLedger(context: Context): LedgerStore {
  const { config, telemetry, clock } = context;
  const table = durableTable(config.ledgerTable, LEDGER, context);
  return new LedgerStore(table, config.network, clock, telemetry.warn);
}

/**
 * A generation of the ledger: a copy of each entry for every subject that it concerns, sorted by time, block and log index,
 * and one row with the state. Entries outside the covered blocks are never shown. An entry and its key follow from the
 * chain alone: two recorders at once, or one that dies at any moment and is run again, write the same.
 */
export class LedgerStore {
  readonly progress: LedgerProgress;
  readonly table: LedgerTable;

  /**
   * `network` separates networks that share a table; `warn` is called for damaged rows. `next`: the generation that is being
   * filled; by default, the one that answers.
   */
  constructor(
    rows: SeriesTable,
    network: LedgerTable['network'],
    clock: Clock = systemClock,
    warn: Warn = () => {},
    next?: number,
  ) {
    this.table = { rows, network, clock, warn };
    this.progress = new LedgerProgress(this.table, next);
  }

  /** The generation after the current one; filling it may have begun. */
  async next(): Promise<LedgerStore> {
    const { rows, network, clock, warn } = this.table;
    const { generation } = await this.progress.read();
    return new LedgerStore(rows, network, clock, warn, generation + 1);
  }

  /** Makes the next generation the one that answers. False if it does not cover all that the current one covers. */
  async switchTo(next: LedgerStore): Promise<boolean> {
    return this.progress.takeOver(await next.progress.read());
  }

  /** A page of a subject's entries in the covered blocks. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async page(
    subject: string,
    { from = 0, to = END_OF_TIME, type: types, limit, order, ...start }: PageQuery,
  ): Promise<Page> {
    // The state first, then the rows: rows are written before they are covered.
    const { coverage, generation } = await this.progress.latest();
    const isForwards = order === 'asc';
    const after = start.after ?? start.cursor;
    const { toBlock: block, toTimestamp: timestamp } = coverage;
    const end = isForwards && to < timestamp ? endOf(to) : positionOf({ block, timestamp, logIndex: LAST_INDEX });
    if (limit === 0) {
      const nothing = isForwards ? (after ?? endOf(Math.max(0, from - 1))) : end;
      return { entries: [], lastCursor: nothing, coverage };
    }
    const subjects = types ? types.map((type) => typedSubject(subject, type)) : [subject];
    if (!types && isHolder(subject)) subjects.push(dustOf(subject));
    const next = after === undefined ? undefined : nextTo(after, isForwards);
    const range = {
      start: isForwards && next && next > startOf(from) ? next : startOf(from),
      end: !isForwards && next && next < endOf(to) ? next : endOf(to),
      limit: subjects.length === 1 ? limit + 1 : Math.min(limit + 1, LEAST_ROWS),
      isForwards,
    };
    const pages = subjects.map((one) => this.#pages(generation, one, coverage, range));
    const found = await merge(pages, limit + 1, isForwards);
    const entries = found.slice(0, limit);
    if (found.length > limit) {
      const nextCursor = positionOf(entries.at(-1) as Entry);
      return { entries, nextCursor, lastCursor: isForwards ? nextCursor : end, coverage };
    }
    return { entries, lastCursor: isForwards && after !== undefined && after > end ? after : end, coverage };
  }

  /** All entries of a subject in the covered blocks, oldest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async all(subject: string): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const coverage = await this.progress.coverage();
    return { entries: await this.between(subject, coverage), coverage };
  }

  /** All entries of one type, of the protocol or of a subject, like {@link all}. */
  async ofType<Type extends EntryType>(type: Type, subject: string = subjectOf.protocol) {
    const { entries, coverage } = await this.all(typedSubject(subject, type));
    return { entries: entries as unknown as EntryOf<Type>[], coverage };
  }

  /** All entries of a subject in some blocks, from a time (unix seconds) on, oldest first. Throws like {@link all}. */
  async between(subject: string, blocks: BlockRange, since = 0): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const page of this.pages(subject, blocks, since)) entries.push(...page);
    return entries;
  }

  /** The entries that {@link between} returns, page after page. */
  async *pages(subject: string, blocks: BlockRange, since = 0): AsyncGenerator<Entry[]> {
    const { generation } = await this.progress.latest();
    yield* this.#pages(generation, subject, blocks, {
      ...{ start: startOf(since), end: END, limit: PAGE_ROWS, isForwards: true },
    });
  }

  /** Writes entries for every participant. Throws what the table throws. */
  async write(entries: readonly Entry[], generation = 0): Promise<void> {
    const rows = entries.flatMap((entry) => {
      const row = toRow(entry);
      return listSubjects(entry).map((subject) => ({ subject: keyOf(this.table, subject, generation), ...row }));
    });
    await this.table.rows.putAll(rows);
  }

  /**
   * Reads the entries of these blocks between two positions. The first page has `limit` rows, and each page twice as many as
   * the one before: many rows may be of blocks that are not covered yet, and may lack entries.
   */
  async *#pages(
    generation: number,
    subject: string,
    { fromBlock, toBlock }: BlockRange,
    { start, end, limit, isForwards }: { start: string; end: string; limit: number; isForwards: boolean },
  ): AsyncGenerator<Entry[]> {
    for (let size = Math.min(limit, PAGE_ROWS); start <= end; size = Math.min(2 * size, PAGE_ROWS)) {
      const rows = await this.#rows(generation, subject, start, end, { limit: size, reverse: !isForwards });
      const entries = intact(rows, toEntry, this.table.warn);
      yield entries.filter(({ block }) => fromBlock <= block && block <= toBlock);
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      if (isForwards ? Number(last.block) > toBlock : Number(last.block) < fromBlock) return;
      const next = nextTo(String(last.position), isForwards);
      if (isForwards) start = next;
      else end = next;
    }
  }

  #rows(generation: number, subject: string, from: string, to: string, options?: RangeOptions): Promise<Row[]> {
    return this.table.rows.range(keyOf(this.table, subject, generation), from, to, options);
  }
}
