/** `lib/ledger`: the events of the protocol's contracts, indexed once and kept in a table. Only the ledger's recorder writes. */

import type { ChainContext } from '../chain/chain.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import { intact } from '../tables/rows.ts';
import { LEDGER } from '../tables/table-schemas.ts';
import type { Coverage } from './coverage.ts';
import type { EntryType } from './events/entry-types.ts';
import { type Entry, type EntryOf, listSubjects, subjectOf, typedSubject } from './ledger-entry.ts';
import { LedgerProgress } from './ledger-state.ts';
import { END, keyOf, type LedgerTable, nextTo, startOf, toEntry, toRow } from './rows.ts';

/** About as many as a page of DynamoDB has. */
const PAGE_ROWS = 2_000;

type BlockRange = Pick<Coverage, 'fromBlock' | 'toBlock' | 'generation'>;

export interface LedgerContext extends ChainContext {
  ledger: LedgerStore;
}

export function openLedger(context: Context): LedgerStore {
  const { config, telemetry, clock } = context;
  const rows = durableTable(config.ledgerTable, LEDGER, context);
  return new LedgerStore({ rows, network: config.network, clock, warn: telemetry.warn });
}

/**
 * A generation of the ledger: a copy of each entry for every subject, sorted by time, block and log index, and one row with the
 * state. Entries outside the covered blocks are never shown. An entry and its key follow from the chain alone.
 */
export class LedgerStore {
  readonly progress: LedgerProgress;
  readonly table: LedgerTable;

  /** `next`: the generation that is being filled; by default, the one that answers. */
  constructor(table: LedgerTable, next?: number) {
    this.table = table;
    this.progress = new LedgerProgress(table, next);
  }

  /** All entries of a subject in the covered blocks, oldest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async all(subject: string): Promise<{ entries: Entry[]; coverage: Coverage }> {
    const { coverage } = await this.progress.latest();
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
    for await (const page of this.pages(subject, blocks, { start: startOf(since) })) entries.push(...page);
    return entries;
  }

  /**
   * Reads the entries of these blocks between two positions; by default all, oldest first. The first page has `limit` rows, and
   * each later one twice as many: many rows may be of blocks that are not covered yet.
   */
  async *pages(
    subject: string,
    { fromBlock, toBlock, generation }: BlockRange,
    options: { start?: string; end?: string; limit?: number; isForwards?: boolean } = {},
  ): AsyncGenerator<Entry[]> {
    const { limit = PAGE_ROWS, isForwards = true } = options;
    let { start = startOf(0), end = END } = options;
    const { rows: table, warn } = this.table;
    const series = keyOf(this.table, subject, generation);
    for (let size = Math.min(limit, PAGE_ROWS); start <= end; size = Math.min(2 * size, PAGE_ROWS)) {
      const rows = await table.range(series, start, end, { limit: size, reverse: !isForwards });
      yield intact(rows, toEntry, warn).filter(({ block }) => fromBlock <= block && block <= toBlock);
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      if (isForwards ? Number(last.block) > toBlock : Number(last.block) < fromBlock) return;
      const next = nextTo(String(last.position), isForwards);
      if (isForwards) start = next;
      else end = next;
    }
  }

  /** Writes entries for every participant. Throws what the table throws. */
  async write(entries: readonly Entry[], generation = 0): Promise<void> {
    const rows = entries.flatMap((entry) => {
      const row = toRow(entry);
      return listSubjects(entry).map((subject) => ({ subject: keyOf(this.table, subject, generation), ...row }));
    });
    await this.table.rows.putAll(rows);
  }
}
