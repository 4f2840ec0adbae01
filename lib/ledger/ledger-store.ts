/**
 * `lib/ledger`: the events of the protocol's contracts, searched once and kept in a table. `ledgerOf(context)` reads
 * pages of them. Functions that do list `ledger` in their `reads`; only its recorder writes.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { perProcess } from '../runtime/context.ts';
import { inParallel } from '../runtime/parallel.ts';
import { durableTable } from '../tables/durable.ts';
import { LEDGER } from '../tables/forms.ts';
import { intact, type Warn } from '../tables/rows.ts';
import type { RangeOptions, Row, SeriesTable } from '../tables/series-table.ts';
import { BlockByTime } from './block-by-time.ts';
import { EVERYTHING } from './concerns.ts';
import type { EntryType } from './events/entry-types.ts';
import { HolderSums } from './holder-sums.ts';
import { type Entry, subjectOf, subjectsOf, typedSubject } from './ledger-entry.ts';
import { type Coverage, LedgerProgress, SETTLING_SECONDS } from './ledger-progress.ts';
import { type ReadNext, readMerged } from './merge.ts';
import { endOf, keyOf, type LedgerTable, nextTo, positionOf, toEntry, toRow } from './rows.ts';

const PARALLEL_WRITES = 8;
/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 2_000;

/**
 * The ledger's table: a copy of each entry for every subject that it concerns, sorted by block and log index, and
 * one row with the coverage, the blocks that have been searched. Entries outside it are never shown. It grows only once
 * all rows of the new blocks are written; after that, a row is only written if it is absent. An entry and its key
 * follow from the chain alone: two recorders at once, or one that dies at any moment and is run again, write the same.
 */

/** Which of a subject's entries are wanted. */
export interface PageQuery {
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
  type?: readonly EntryType[] | undefined;
  limit: number;
  /** The oldest first, and only entries that no later one can precede; by default the newest first. */
  order?: 'asc' | 'desc';
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** The `lastCursor` of the page before, with the oldest first. */
  after?: string | undefined;
}

export interface Page {
  entries: Entry[];
  /** Where the next page begins; missing on the last one. */
  nextCursor?: string;
  /** Where to go on, the oldest first: all entries up to there are final and, if that was the order, are on the pages. */
  lastCursor: string;
  coverage: Coverage;
}

/** The process's ledger. */
export const ledgerOf = perProcess('ledger', ({ config, telemetry, limits }) => {
  const table = durableTable(config.ledgerTable, LEDGER, limits);
  return new LedgerStore(table, config.network.name, systemClock, telemetry.warn);
});

export class LedgerStore {
  /** Which blocks have been searched. */
  readonly progress: LedgerProgress;
  /** What holders' entries are summed up to. */
  readonly sums: HolderSums;
  readonly #table: LedgerTable;
  readonly #times = new BlockByTime(
    (first, before, limit) =>
      this.#reader({ first, last: before - 1, isForwards: false })(subjectOf.protocol, undefined, limit),
    (coverage) => this.#readOldest(subjectOf.protocol, coverage),
  );
  #start: number | undefined;

  /** `network` separates networks that share a table; `warn` is told of damaged rows. */
  constructor(rows: SeriesTable, network: string, clock: Clock = systemClock, warn: Warn = () => {}) {
    this.#table = { rows, network, clock, warn };
    this.progress = new LedgerProgress(this.#table);
    this.sums = new HolderSums(this.#table);
  }

  /** Time of the protocol's first entry, unix seconds; undefined until the coverage is complete. It is read once. */
  async start(): Promise<number | undefined> {
    if (this.#start !== undefined) return this.#start;
    const coverage = await this.progress.coverage();
    if (coverage.complete) this.#start = (await this.#times.oldest(coverage))?.timestamp;
    return this.#start;
  }

  /**
   * A page of a subject's entries in the searched blocks. Throws UPSTREAM_UNAVAILABLE if the table does not answer.
   */
  async page(subject: string, { from = 0, to, type: types, limit, order, ...start }: PageQuery): Promise<Page> {
    // The coverage first, then the rows: rows are written before they are covered.
    const { coverage, settled } = await this.progress.latest();
    const isForwards = order === 'asc';
    const [first, end] = await this.#blocksOf({ from: isForwards ? from : 0, to }, coverage);
    const read = this.#reader({ first, last: end - 1, isForwards });
    const subjects = types ? types.map((type) => typedSubject(subject, type)) : [subject];
    // Older ones, too, have been searched when they were old enough.
    const settledTime = (coverage.toTimestamp ?? 0) - SETTLING_SECONDS;
    const isSettled = ({ block, timestamp }: Entry) => block <= settled || timestamp <= settledTime;
    const entries: Entry[] = [];
    let after = start.after ?? start.cursor;
    const reached = endOf(Math.max(0, isForwards ? Math.min(end - 1, settled) : settled));
    const whole = (): Page => ({
      entries,
      lastCursor: isForwards && after !== undefined && after > reached ? after : reached,
      coverage,
    });
    if (limit === 0) {
      const nothing = isForwards ? (after ?? endOf(Math.max(first - 1, 0))) : reached;
      return { entries, lastCursor: nothing, coverage };
    }
    for (;;) {
      const wanted = limit + 1 - entries.length;
      const rows = await readMerged(subjects, { after, wanted, isForwards }, read);
      for (const entry of rows) {
        if (isForwards ? !isSettled(entry) : entry.timestamp < from) return whole();
        // An entry that was found late may be newer than the remembered times of its day.
        if (entry.timestamp >= from && (to === undefined || entry.timestamp <= to)) {
          if (entries.length === limit) {
            const nextCursor = String(after);
            return { entries, nextCursor, lastCursor: isForwards ? nextCursor : reached, coverage };
          }
          entries.push(entry);
        }
        after = positionOf(entry.block, entry.logIndex);
      }
      if (rows.length < wanted) return whole();
    }
  }

  /** The first of the searched blocks whose entries are not before a time, unix seconds. */
  async blockFrom(time: number): Promise<number> {
    const [block] = await this.#blocksOf({ from: time, to: undefined }, await this.progress.coverage());
    return block;
  }

  /** The first of the searched blocks from a time, and the first one after a time. */
  async #blocksOf(
    { from, to }: { from: number; to: number | undefined },
    coverage: Coverage,
  ): Promise<[number, number]> {
    return Promise.all([
      from === 0 ? coverage.from : this.#times.blockAfter(from - 1, coverage),
      to === undefined ? coverage.to + 1 : this.#times.blockAfter(to, coverage),
    ]);
  }

  /**
   * All entries of a subject in the searched blocks, oldest first, and the coverage for what `concerns` it. Throws
   * UPSTREAM_UNAVAILABLE if the table is down.
   */
  async all(subject: string, concerns = EVERYTHING): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const coverage = (await this.progress.latest()).coverageOf(concerns);
    return { entries: await this.between(subject, coverage.from, coverage.to), coverage };
  }

  /** All entries of a subject in some blocks, both included, oldest first. Throws like {@link all}. */
  async between(subject: string, from: number, to: number): Promise<Entry[]> {
    return this.#entriesIn(await this.#rows(subject, positionOf(from), positionOf(to + 1)));
  }

  /** The same, some after others. */
  async *pagesBetween(subject: string, from: number, to: number): AsyncGenerator<Entry[]> {
    let start = positionOf(from);
    for (;;) {
      const rows = await this.#rows(subject, start, positionOf(to + 1), { limit: PAGE_ROWS });
      yield this.#entriesIn(rows);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) return;
      start = nextTo(last.position as string, true);
    }
  }

  /**
   * Writes entries, for every subject they concern, and returns how many of them are new. In searched blocks, existing
   * rows stay. Rows of other blocks are not shown yet, so they are written in batches, and all count as new. Throws
   * what the table throws.
   */
  async write(entries: readonly Entry[]): Promise<number> {
    if (entries.length === 0) return 0;
    const { blocks } = await this.progress.read();
    const isSearched = ({ block }: Entry) => blocks !== undefined && blocks.from <= block && block <= blocks.to;
    const { late = [], fresh = [] } = Object.groupBy(entries, (entry) => (isSearched(entry) ? 'late' : 'fresh'));
    const rowsOf = (entry: Entry) => this.#rowsOf(entry);
    const [isNew] = await Promise.all([
      inParallel(late, PARALLEL_WRITES, async (entry) =>
        (await Promise.all(rowsOf(entry).map((row) => this.#table.rows.putIfAbsent(row)))).includes(true),
      ),
      this.#table.rows.putAll(fresh.flatMap(rowsOf)),
    ]).catch((cause: Error) => {
      throw cause.name === 'ValidationException'
        ? new Error('the ledger made rows that no table takes', { cause })
        : cause;
    });
    return fresh.length + isNew.filter(Boolean).length;
  }

  /**
   * Makes the entries of these transactions, which are in searched blocks, exactly these: others may have been made when
   * a log was missing. Returns how many transactions had other entries. Throws what the table throws.
   */
  async amend(entries: readonly Entry[], { from, to }: Pick<Coverage, 'from' | 'to'>): Promise<number> {
    const known = Map.groupBy(await this.between(subjectOf.protocol, from, to), ({ txHash }) => txHash);
    const contentOf = (made: readonly Entry[]) => new Map(made.map(toRow).map((row) => [row.position, row]));
    const changed = [...Map.groupBy(entries, ({ txHash }) => txHash)]
      .map(([txHash, made]) => ({ made, before: known.get(txHash) ?? [] }))
      .filter(({ made, before }) => !isDeepStrictEqual(contentOf(made), contentOf(before)));
    const rows = changed.flatMap(({ made }) => made.flatMap((entry) => this.#rowsOf(entry)));
    await this.#table.rows.putAll(rows);
    const keyIn = ({ subject, position }: Row) => `${subject} ${position}`;
    const kept = new Set(rows.map(keyIn));
    const before = changed.flatMap(({ before }) => before.flatMap((entry) => this.#rowsOf(entry)));
    await this.#table.rows.deleteAll(before.filter((row) => !kept.has(keyIn(row))));
    return changed.length;
  }

  #rowsOf(entry: Entry): Row[] {
    const row = toRow(entry);
    return subjectsOf(entry).map((subject) => ({ subject: keyOf(this.#table, subject), ...row }));
  }

  /** Reads entries of these blocks, both included, in one direction. */
  #reader({ first, last, isForwards }: { first: number; last: number; isForwards: boolean }) {
    const [lowest, highest] = [positionOf(first), positionOf(last + 1)];
    const read: ReadNext = async (subject, after, limit) => {
      const next = after === undefined ? undefined : nextTo(after, isForwards);
      const from = isForwards && next !== undefined && next > lowest ? next : lowest;
      const to = !isForwards && next !== undefined && next < highest ? next : highest;
      const rows = await this.#rows(subject, from, to, { limit, reverse: !isForwards });
      const more = rows.length === limit;
      const entries = this.#entriesIn(rows);
      return entries.length > 0 || !more
        ? { rows: entries, more }
        : read(subject, String(rows.at(-1)?.position), limit);
    };
    return read;
  }

  async #readOldest(subject: string, { from, to }: Coverage): Promise<Entry | undefined> {
    const { rows } = await this.#reader({ first: from, last: to, isForwards: true })(subject, undefined, 1);
    return rows[0];
  }

  #rows(subject: string, from: string, to: string, options?: RangeOptions): Promise<Row[]> {
    return this.#table.rows.range(keyOf(this.#table, subject), from, to, options);
  }

  #entriesIn(rows: readonly Row[]): Entry[] {
    return intact(rows, toEntry, this.#table.warn);
  }
}
