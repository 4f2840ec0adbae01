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
import { blocksOf, type Coverage, coverageAt } from './coverage.ts';
import { HolderList } from './holder-list.ts';
import { type Entry, listSubjects, subjectOf, typedSubject } from './ledger-entry.ts';
import { type Blocks, coverageOf, LedgerProgress } from './ledger-state.ts';
import { LEAST_ROWS, merge, type Page, type PageQuery } from './merge-pages.ts';
import { END, endOf, keyOf, type LedgerTable, nextTo, positionOf, startOf, toEntry, toRow } from './rows.ts';
import { QUORUM } from './vote.ts';

/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 2_000;
/** Seconds for which the rows of a replaced generation stay: longer than any answer that is made from them. */
const KEPT_SECONDS = 3_600;
/** After all logs of a block. */
const LAST_INDEX = 999_999;

export interface LedgerContext extends ChainContext {
  ledger: LedgerStore;
}

export function openLedger(context: Context): LedgerStore {
  const { config, telemetry, clock } = context;
  const table = durableTable(config.ledgerTable, LEDGER, context);
  return new LedgerStore(table, config.network.name, clock, telemetry.warn);
}

/**
 * A generation of the ledger: a copy of each entry for every subject that it concerns, sorted by time, block and log index,
 * and one row with the state. Entries outside the covered blocks are never shown. An entry and its key follow from the
 * chain alone: two recorders at once, or one that dies at any moment and is run again, write the same.
 */
export class LedgerStore {
  readonly progress: LedgerProgress;
  /** The list of holders with their balances; it may be behind the entries. */
  readonly holders: HolderList;
  readonly #table: LedgerTable;
  #start: Promise<number | undefined> | undefined;

  /**
   * `network` separates networks that share a table; `warn` is called for damaged rows. `position`: the generation that
   * answers, or the one that is being filled.
   */
  constructor(
    rows: SeriesTable,
    network: string,
    clock: Clock = systemClock,
    warn: Warn = () => {},
    position: 'current' | 'next' = 'current',
  ) {
    this.#table = { rows, network, clock, warn };
    this.progress = new LedgerProgress(this.#table, position);
    this.holders = new HolderList(this.#table, this.progress);
  }

  /**
   * Begins the generation after the current one, or goes on with it. It starts with the contracts and the first block that
   * are known.
   */
  async next(): Promise<LedgerStore> {
    const { rows, network, clock, warn } = this.#table;
    const store = new LedgerStore(rows, network, clock, warn, 'next');
    const { generation, first } = await this.progress.read();
    const fresh = { blocks: undefined, listedTo: undefined, check: undefined, disputed: undefined, refused: [] };
    await store.progress.update((state) =>
      state.generation > generation
        ? undefined
        : { ...fresh, generation: generation + 1, first, contracts: [], sources: QUORUM },
    );
    return store;
  }

  /** Makes the next generation the one that answers. False if it does not cover all that the current one covers. */
  async switchTo(next: LedgerStore): Promise<boolean> {
    const filled = await next.progress.read();
    const coverage = coverageOf(filled);
    return this.progress.update(({ generation, blocks }, now) => {
      const isBehind = !coverage?.complete || (blocks !== undefined && coverage.toBlock < blocks.to);
      if (filled.generation <= generation || isBehind) return undefined;
      return { ...filled, former: { generation, deleteAt: now + KEPT_SECONDS } };
    });
  }

  /** Deletes the rows of the replaced generation once it is time. It may end at any moment, and is then called again. */
  async deleteFormer(): Promise<void> {
    const { former } = await this.progress.read();
    if (!former || this.#table.clock.now() / 1_000 < former.deleteAt) return;
    const { generation } = former;
    for (;;) {
      const rows = await this.#rows(generation, subjectOf.protocol, '', END, { limit: PAGE_ROWS });
      if (rows.length === 0) break;
      // The protocol's rows last: without them, no copy would be found.
      const [own, copies] = this.#byOwner(generation, rows.map(toEntry));
      await this.#table.rows.deleteAll(copies);
      await this.#table.rows.deleteAll(own);
    }
    await this.holders.delete(generation);
    await this.progress.update(() => ({ former: undefined }));
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
    const { entries, coverage } = await this.page(subjectOf.protocol, { limit: 1, order: 'asc' });
    return coverage.complete ? entries[0]?.timestamp : undefined;
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
    const next = after === undefined ? undefined : nextTo(after, isForwards);
    const range = {
      start: isForwards && next && next > startOf(from) ? next : startOf(from),
      end: !isForwards && next && next < endOf(to) ? next : endOf(to),
      limit: subjects.length === 1 ? limit + 1 : Math.min(limit + 1, LEAST_ROWS),
      isForwards,
    };
    const pages = subjects.map((one) => this.#pages(generation, one, blocksOf(coverage), range));
    const found = await merge(pages, limit + 1, isForwards);
    const entries = found.slice(0, limit);
    if (found.length > limit) {
      const nextCursor = positionOf(entries.at(-1) as Entry);
      return { entries, nextCursor, lastCursor: isForwards ? nextCursor : end, coverage };
    }
    return { entries, lastCursor: isForwards && after !== undefined && after > end ? after : end, coverage };
  }

  /**
   * All entries of a subject in the covered blocks, oldest first. Once there are `most` entries, entries of later blocks are
   * left out, and the coverage ends before them. Throws UPSTREAM_UNAVAILABLE if the table does not answer.
   */
  async all(subject: string, most = Number.POSITIVE_INFINITY): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const coverage = await this.progress.coverage();
    const entries: Entry[] = [];
    for await (const page of this.pagesBetween(subject, blocksOf(coverage))) {
      entries.push(...page);
      const last = entries[most - 1];
      const next = last ? entries.findIndex(({ block }) => block > last.block) : -1;
      if (last && next > 0) {
        const end = { number: last.block, timestamp: last.timestamp };
        return {
          entries: entries.slice(0, next),
          coverage: { ...coverageAt(end, coverage), complete: false, isCut: true },
        };
      }
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
    const { generation } = await this.progress.latest();
    yield* this.#pages(generation, subject, blocks, {
      ...{ start: startOf(since), end: END, limit: PAGE_ROWS, isForwards: true },
    });
  }

  /** Brings the list of holders up to the covered blocks, see {@link HolderList.update}. */
  listHolders(mayGoOn?: () => boolean | Promise<boolean>): Promise<void> {
    return this.holders.update((blocks, since) => this.pagesBetween(subjectOf.protocol, blocks, since), mayGoOn);
  }

  /**
   * Writes entries for every participant. The protocol's rows come first, so that no copy exists without them. Throws what
   * the table throws.
   */
  async write(entries: readonly Entry[], generation = 0): Promise<void> {
    for (const rows of this.#byOwner(generation, entries)) await this.#table.rows.putAll(rows).catch(explained);
  }

  /** The rows of entries: those of the protocol, and the copies of them. */
  #byOwner(generation: number, entries: readonly Entry[]): [own: Row[], copies: Row[]] {
    const protocol = keyOf(this.#table, subjectOf.protocol, generation);
    const rows = entries.flatMap((entry) => {
      const row = toRow(entry);
      return listSubjects(entry).map((subject) => ({ subject: keyOf(this.#table, subject, generation), ...row }));
    });
    const isOwn = ({ subject }: Row) => subject === protocol;
    return [rows.filter(isOwn), rows.filter((row) => !isOwn(row))];
  }

  /**
   * Reads the entries of these blocks between two positions. The first page has `limit` rows, and each page twice as many as
   * the one before: there may be many rows of blocks that do not count yet.
   */
  async *#pages(
    generation: number,
    subject: string,
    blocks: Blocks,
    { start, end, limit, isForwards }: { start: string; end: string; limit: number; isForwards: boolean },
  ): AsyncGenerator<Entry[]> {
    for (let size = Math.min(limit, PAGE_ROWS); start <= end; size = Math.min(2 * size, PAGE_ROWS)) {
      const rows = await this.#rows(generation, subject, start, end, { limit: size, reverse: !isForwards });
      yield this.#entriesIn(blocks, rows);
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      if (isForwards ? Number(last.block) > blocks.to : Number(last.block) < blocks.from) return;
      const next = nextTo(String(last.position), isForwards);
      if (isForwards) start = next;
      else end = next;
    }
  }

  #rows(generation: number, subject: string, from: string, to: string, options?: RangeOptions): Promise<Row[]> {
    return this.#table.rows.range(keyOf(this.#table, subject, generation), from, to, options);
  }

  /** The entries of these blocks. Entries of other blocks are never shown: such a block may lack some of them. */
  #entriesIn({ from, to }: Blocks, rows: readonly Row[]): Entry[] {
    return intact(rows, toEntry, this.#table.warn).filter(({ block }) => from <= block && block <= to);
  }
}

function explained(cause: Error): never {
  throw cause.name === 'ValidationException'
    ? new Error('the table refused rows of the ledger as invalid', { cause })
    : cause;
}
