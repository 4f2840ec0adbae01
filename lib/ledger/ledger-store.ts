/**
 * `lib/ledger`: the events of the protocol's contracts, indexed once and kept in a table. `context.ledger` reads
 * pages of entries. Functions that read entries list `ledger` in their `reads`; only the ledger's recorder writes.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ChainContext } from '../chain/chain.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/durable.ts';
import { intact, type Warn } from '../tables/rows.ts';
import type { RangeOptions, Row, SeriesTable } from '../tables/series-table.ts';
import { LEDGER } from '../tables/table-schemas.ts';
import type { BlockRef } from '../values/block.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { Blocks, Unconfirmed } from './block-ranges.ts';
import { type Coverage, cutAt } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import { HolderList } from './holder-list.ts';
import { type Entry, listSubjects, subjectOf, typedSubject } from './ledger-entry.ts';
import { LedgerProgress } from './ledger-progress.ts';
import { type ReadNext, readMerged } from './merge-pages.ts';
import type { Scope } from './mismatches.ts';
import { END, endOf, keyOf, type LedgerTable, nextTo, positionOf, startOf, toEntry, toRow } from './rows.ts';
import type { Part } from './sources.ts';

/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 2_000;

/** Query for a page of a subject's entries. */
export interface PageQuery {
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
  type?: readonly EntryType[] | undefined;
  limit: number;
  /** `asc`: the oldest first, and only entries that no entry found later can precede. Default: the newest first. */
  order?: 'asc' | 'desc';
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** The `lastCursor` of the page before, with the oldest first. */
  after?: string | undefined;
}

/**
 * Seconds after a block in which more entries of it may still be found: gateways may have a part of a batch answered by
 * a node that lags.
 */
const LATE_SECONDS = 120;

export interface Page {
  entries: Entry[];
  /** Cursor of the next page; missing on the last page. */
  nextCursor?: string;
  /**
   * Cursor to continue from, the oldest first. All entries up to it are final and, if the order was `asc`, are on the
   * pages.
   */
  lastCursor: string;
  coverage: Coverage;
}

export interface LedgerContext extends ChainContext {
  ledger: LedgerStore;
}

/** Opens the ledger of a process. */
export function openLedger(context: Context): LedgerStore {
  const { config, telemetry, clock } = context;
  const table = durableTable(config.ledgerTable, LEDGER, context);
  return new LedgerStore(table, config.network.name, clock, telemetry.warn);
}

/**
 * The ledger's table: a copy of each entry for every subject that it concerns, sorted by time, block and log index, and
 * one row with the coverage (the indexed blocks). Entries outside the coverage are never shown. The coverage grows only
 * once all rows of the new blocks are written; after that, a row is only written if it is absent. An entry and its key
 * follow from the chain alone: two recorders at once, or one that dies at any moment and is run again, write the same.
 */
export class LedgerStore {
  /** The indexed and the confirmed blocks. */
  readonly progress: LedgerProgress;
  /** The list of holders with their balances; it may be behind the entries. */
  readonly holders: HolderList;
  readonly #table: LedgerTable;
  #start: Promise<number | undefined> | undefined;

  /** `network` separates networks that share a table; `warn` is called for damaged rows. */
  constructor(rows: SeriesTable, network: string, clock: Clock = systemClock, warn: Warn = () => {}) {
    this.#table = { rows, network, clock, warn };
    this.progress = new LedgerProgress(this.#table);
    this.holders = new HolderList(this.#table);
  }

  /**
   * Time of the protocol's first entry, unix seconds; undefined until the coverage is complete. Concurrent calls share one
   * read, and its result is kept. Throws UPSTREAM_UNAVAILABLE.
   */
  start(): Promise<number | undefined> {
    const start = this.#start ?? this.#readStart();
    this.#start = start;
    const forget = () => {
      this.#start = undefined;
    };
    start.then((time) => time ?? forget(), forget);
    return start;
  }

  async #readStart(): Promise<number | undefined> {
    const coverage = await this.progress.coverage();
    if (!coverage.complete) return undefined;
    const read = this.#reader(blocksOf(coverage), { from: 0, to: END_OF_TIME, isForwards: true });
    return (await read(subjectOf.protocol, undefined, 1)).rows[0]?.timestamp;
  }

  /**
   * A page of a subject's entries in the indexed blocks. Throws UPSTREAM_UNAVAILABLE if the table does not answer.
   */
  async page(
    subject: string,
    { from = 0, to = END_OF_TIME, type: types, limit, order, ...start }: PageQuery,
  ): Promise<Page> {
    // The coverage first, then the rows: rows are written before they are covered.
    const coverage = await this.progress.coverage();
    const isForwards = order === 'asc';
    const confirmedTo = coverage.confirmed?.timestamp ?? coverage.toTimestamp;
    const finalTo = Math.max(0, Math.min(confirmedTo, coverage.toTimestamp - LATE_SECONDS));
    const last = isForwards ? Math.min(to, finalTo) : to;
    const reached = endOf(isForwards ? last : finalTo);
    const after = start.after ?? start.cursor;
    if (limit === 0) {
      const nothing = isForwards ? (after ?? endOf(Math.max(0, from - 1))) : reached;
      return { entries: [], lastCursor: nothing, coverage };
    }
    const subjects = types ? types.map((type) => typedSubject(subject, type)) : [subject];
    const read = this.#reader(blocksOf(coverage), { from, to: last, isForwards });
    const found = await readMerged(subjects, { after, wanted: limit + 1, isForwards }, read);
    const entries = found.slice(0, limit);
    if (found.length > limit) {
      const nextCursor = positionOf(entries.at(-1) as Entry);
      return { entries, nextCursor, lastCursor: isForwards ? nextCursor : reached, coverage };
    }
    return { entries, lastCursor: isForwards && after !== undefined && after > reached ? after : reached, coverage };
  }

  /**
   * All entries of a subject in the indexed blocks, oldest first, and the coverage of a scope. Once there are `most`
   * entries, entries of later blocks are left out, and the coverage ends before them. Throws UPSTREAM_UNAVAILABLE if the
   * table is down.
   */
  async all(
    subject: string,
    scope?: Scope,
    most = Number.POSITIVE_INFINITY,
  ): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const coverage = (await this.progress.latest()).coverageOf(scope);
    const entries: Entry[] = [];
    for await (const page of this.pagesBetween(subject, blocksOf(coverage))) {
      entries.push(...page);
      const last = entries[most - 1];
      const next = last ? entries.findIndex(({ block }) => block > last.block) : -1;
      if (last && next > 0) return { entries: entries.slice(0, next), coverage: cutAt(placeOf(last), coverage) };
    }
    return { entries, coverage };
  }

  /** All entries of a subject in some blocks, from a time (unix seconds) on, oldest first. Throws like {@link all}. */
  async between(subject: string, blocks: Blocks, since = 0): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const page of this.pagesBetween(subject, blocks, since)) entries.push(...page);
    return entries;
  }

  /** The entries that {@link between} returns, page after page. */
  async *pagesBetween(subject: string, blocks: Blocks, since = 0): AsyncGenerator<Entry[]> {
    let start = startOf(since);
    for (;;) {
      const rows = await this.#rows(subject, start, END, { limit: PAGE_ROWS });
      yield this.#entriesIn(blocks, rows);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS || Number(last.block) > blocks.to) return;
      start = nextTo(last.position as string, true);
    }
  }

  /**
   * Makes the rows of some blocks exactly these entries, and returns the number of new entries. Rows of blocks that are
   * not indexed yet are not shown; rows of indexed blocks change between {@link LedgerProgress.beginAmending} and
   * `endAmending`. If it is killed at any write, it can be called again. `which`: write only rows of `new` blocks; also
   * rows that have `changed`; or all rows `again`, if the caller ends the amending of a run that has died.
   * Throws what the table throws.
   */
  async replace(
    { from, to, before, ...part }: Pick<Part, 'from' | 'to' | 'entries' | 'before'>,
    which: 'new' | 'changed' | 'again' = 'changed',
  ): Promise<number> {
    const [{ blocks }, all] = await Promise.all([
      this.progress.read(),
      this.between(subjectOf.protocol, { from, to }, before.timestamp),
    ]);
    const isIndexed = ({ block }: Entry) => blocks !== undefined && blocks.from <= block && block <= blocks.to;
    const isMeant = (entry: Entry) => which !== 'new' || !isIndexed(entry);
    const [entries, known] = [part.entries.filter(isMeant), all.filter(isMeant)];
    const isChanged = !isDeepStrictEqual(toContent(entries.filter(isIndexed)), toContent(known.filter(isIndexed)));
    const isAmended = isChanged && which === 'changed';
    if (isAmended) await this.progress.beginAmending({ from, to, before });
    await this.#delete(known, entries);
    await this.write(isChanged || which === 'again' ? entries : entries.filter((entry) => !isIndexed(entry)));
    if (isAmended) await this.progress.endAmending();
    const places = new Set(known.map(positionOf));
    return entries.filter((entry) => !places.has(positionOf(entry))).length;
  }

  /**
   * Deletes the rows of some indexed blocks that are at no position of `kept`, whatever their time: a single provider may
   * have reported another time. `before` is the block before these blocks.
   */
  async sweep({ from, to, before }: Unconfirmed, kept: ReadonlySet<string>): Promise<void> {
    for await (const page of this.pagesBetween(subjectOf.protocol, { from, to: Number.POSITIVE_INFINITY })) {
      const gone = page.filter((entry) => entry.block <= to && !kept.has(positionOf(entry)));
      if (gone.length === 0) continue;
      await this.progress.beginAmending({ from, to, before });
      await this.#delete(gone, []);
      await this.progress.endAmending();
    }
  }

  /**
   * Writes entries for every participant. The protocol's rows come first, so that no copy exists without them. Throws what
   * the table throws.
   */
  async write(entries: readonly Entry[]): Promise<void> {
    const rows = entries.flatMap((entry) => this.#rowsOf(entry));
    for (const part of this.#byOwner(rows)) await this.#table.rows.putAll(part).catch(explained);
  }

  /** Deletes the rows of entries, except rows that `others` have, too. The protocol's rows come last. */
  async #delete(gone: readonly Entry[], others: readonly Entry[]): Promise<void> {
    if (gone.length === 0) return;
    const kept = new Set(others.flatMap((entry) => this.#rowsOf(entry)).map(keyIn));
    const rows = gone.flatMap((entry) => this.#rowsOf(entry)).filter((row) => !kept.has(keyIn(row)));
    for (const part of this.#byOwner(rows).reverse()) await this.#table.rows.deleteAll(part);
  }

  /** The rows of the protocol, and the copies of them. */
  #byOwner(rows: readonly Row[]): [own: Row[], copies: Row[]] {
    const protocol = keyOf(this.#table, subjectOf.protocol);
    const isOwn = ({ subject }: Row) => subject === protocol;
    return [rows.filter(isOwn), rows.filter((row) => !isOwn(row))];
  }

  #rowsOf(entry: Entry): Row[] {
    const row = toRow(entry);
    return listSubjects(entry).map((subject) => ({ subject: keyOf(this.#table, subject), ...row }));
  }

  /** Reads entries of these blocks and times, all included, in one direction. */
  #reader(blocks: Blocks, { from, to, isForwards }: { from: number; to: number; isForwards: boolean }): ReadNext {
    const [lowest, highest] = [startOf(from), endOf(to)];
    const read: ReadNext = async (subject, after, limit) => {
      const next = after === undefined ? (isForwards ? lowest : highest) : nextTo(after, isForwards);
      const start = isForwards && next > lowest ? next : lowest;
      const end = !isForwards && next < highest ? next : highest;
      const rows = await this.#rows(subject, start, end, { limit, reverse: !isForwards });
      const more = rows.length === limit;
      const entries = this.#entriesIn(blocks, rows);
      // There may be many rows of blocks that do not count yet.
      return entries.length > 0 || !more
        ? { rows: entries, more }
        : read(subject, String(rows.at(-1)?.position), Math.min(2 * limit, PAGE_ROWS));
    };
    return read;
  }

  #rows(subject: string, from: string, to: string, options?: RangeOptions): Promise<Row[]> {
    return this.#table.rows.range(keyOf(this.#table, subject), from, to, options);
  }

  /** The entries of these blocks. Entries of other blocks are never shown: an unindexed block may lack some of them. */
  #entriesIn({ from, to }: Blocks, rows: readonly Row[]): Entry[] {
    return intact(rows, toEntry, this.#table.warn).filter(({ block }) => from <= block && block <= to);
  }
}

/** Entries as they are stored, by their positions. */
function toContent(entries: readonly Entry[]): Map<string, Row> {
  return new Map(entries.map((entry) => [positionOf(entry), toRow(entry)]));
}

function keyIn({ subject, position }: Row): string {
  return `${subject} ${position}`;
}

function explained(cause: Error): never {
  throw cause.name === 'ValidationException'
    ? new Error('the table refused rows of the ledger as invalid', { cause })
    : cause;
}

/** The blocks that a coverage includes. */
export function blocksOf({ fromBlock, toBlock }: Coverage): Blocks {
  return { from: fromBlock, to: toBlock };
}

function placeOf({ block, timestamp }: Entry): BlockRef {
  return { number: block, timestamp };
}
