/**
 * The ledger's progress: the indexed and the confirmed blocks. It grows only once all rows of the new blocks are written.
 * So a reader with a copy that is some seconds old sees a little less, but never a gap.
 */

import { ApiError } from '../runtime/errors.ts';
import type { Row } from '../tables/series-table.ts';
import { LEDGER, orUnavailable } from '../tables/table-schemas.ts';
import type { BlockRef } from '../values/block.ts';
import type { Blocks } from './block-ranges.ts';
import { cutBlocks, joinBlocks, type Unconfirmed } from './block-ranges.ts';
import type { Coverage } from './coverage.ts';
import type { Mismatch, Scope } from './mismatches.ts';
import { keyOf, type LedgerTable } from './rows.ts';
import {
  asJson,
  type Check,
  coverageIn,
  type Dispute,
  type Indexed,
  importedRow,
  type Revision,
  SEARCH,
  type Search,
  toSearch,
} from './search-row.ts';

/**
 * Time in ms for which the coverage is cached, so that not every request reads it. Less than the time between two
 * recorder runs.
 */
const REMEMBERED_MS = 1_000;

interface Progress extends Pick<Search, 'list' | 'listedTo' | 'disputed'> {
  coverage: Coverage;
  mismatches: readonly Mismatch[];
  /** Returns the coverage if only mismatches of a scope count; by default, all mismatches count. */
  coverageOf: (scope?: Scope) => Coverage;
  /** The latest changes of entries in indexed blocks, see {@link Search.revisions}. */
  revisions: readonly Revision[];
}

export class LedgerProgress {
  readonly #table: LedgerTable;
  #remembered: { known: Promise<Progress>; until: number } | undefined;

  constructor(table: LedgerTable) {
    this.#table = table;
  }

  /**
   * Returns the coverage, at most a second old. Throws UPSTREAM_UNAVAILABLE if it cannot be read, or if nothing is
   * indexed.
   */
  async coverage(): Promise<Coverage> {
    return (await this.latest()).coverage;
  }

  /** Returns the progress of the ledger and of the list of holders, at most a second old. Throws like {@link coverage}. */
  latest(): Promise<Progress> {
    const now = this.#table.clock.now();
    if (this.#remembered && now < this.#remembered.until) return this.#remembered.known;
    const known = this.latestUncached();
    this.#remembered = { known, until: now + REMEMBERED_MS };
    known.catch(() => this.#forget());
    return known;
  }

  /**
   * Returns what {@link latest} returns, uncached: for rows that were read before, and may belong to newer blocks than the
   * cached progress includes.
   */
  async latestUncached(): Promise<Progress> {
    const search = await this.read();
    const { list, listedTo, check, disputed, revisions } = search;
    const coverage = coverageIn(search);
    if (!coverage)
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'The ledger has not been recorded yet. Please try again shortly.');
    const coverageOf = (scope?: Scope) => coverageIn(search, scope) as Coverage;
    const mismatches = check?.mismatches ?? [];
    return { coverage, coverageOf, mismatches, disputed, revisions, list, listedTo };
  }

  #forget(): void {
    this.#remembered = undefined;
  }

  /** Reads the row, uncached. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async read(): Promise<Search> {
    const row = this.#table.rows.get(this.#subject(), SEARCH.position);
    return orUnavailable(LEDGER, row.then(toSearch));
  }

  /**
   * Extends the indexed blocks by other blocks whose rows have been written. False if the two do not adjoin (there must be
   * no gap); an empty ledger takes any blocks. `toTimestamp` is the time of block `to`, unix seconds. `before` is the block
   * before `from`, given only if these blocks rest on one provider.
   */
  extend(from: number, to: number, toTimestamp: number, before?: BlockRef): Promise<boolean> {
    return this.#update((row) => {
      const { blocks, unconfirmed } = toSearch(row);
      if (blocks && (from > blocks.to + 1 || to < blocks.from - 1)) return undefined;
      const isEnd = !blocks || to >= blocks.to;
      // Blocks that were indexed before stay as confirmed as they were.
      const added = blocks && from >= blocks.from ? { from: blocks.to + 1, to } : { from, to };
      const since = blocks && added.from > from ? { number: blocks.to, timestamp: blocks.toTimestamp } : before;
      const alone = since && added.from <= to ? joinBlocks(unconfirmed, { ...added, before: since }) : unconfirmed;
      const left = before ? alone : cutBlocks(unconfirmed, { from, to }, { number: to, timestamp: toTimestamp });
      return {
        from: Math.min(from, blocks?.from ?? from),
        ...(isEnd && { to, toTimestamp }),
        unconfirmed: asJson(left),
      };
    });
  }

  /** Marks indexed blocks as agreed by two providers. `end` is the last of these blocks. */
  async confirm({ from }: Blocks, end: BlockRef): Promise<void> {
    await this.#update((row) => ({
      unconfirmed: asJson(cutBlocks(toSearch(row).unconfirmed, { from, to: end.number }, end)),
    }));
  }

  /** Marks all indexed blocks as resting on one provider. `before` is the block before the first one. */
  async doubt(before: BlockRef): Promise<void> {
    await this.#update((row) => {
      const { blocks } = toSearch(row);
      return blocks && { unconfirmed: asJson([{ from: blocks.from, to: blocks.to, before }]) };
    });
  }

  /**
   * Stores the number of providers that have to agree. A second provider counts once it has confirmed all blocks; until
   * then the stored number stays.
   */
  async setSources(sources: number): Promise<void> {
    await this.#update((row) => {
      const search = toSearch(row);
      const now = sources > 1 && search.blocks && search.unconfirmed.length > 0 ? search.sources : sources;
      return now === row.sources ? undefined : { sources: now };
    });
  }

  /** Stores the protocol's first block. */
  async setFirst(first: number): Promise<void> {
    await this.#update(() => ({ first }));
  }

  /**
   * Stores the time (unix seconds) up to which this list of holders goes, if it is still the current list. All its rows
   * must have been written.
   */
  async setListedTo(list: number, listedTo: number): Promise<void> {
    await this.#update((row) => (toSearch(row).list === list ? { listedTo } : undefined));
  }

  /** Stores the result of a comparison with the contracts. */
  async setCheck(check: Check): Promise<void> {
    await this.#update(() => ({ check: JSON.stringify(check) }));
  }

  /** Stores the blocks about which providers disagree; undefined if there are none. */
  async setDisputed(disputed: Dispute | undefined): Promise<void> {
    await this.#update((row) => {
      const text = disputed && JSON.stringify(disputed);
      return text === row.disputed ? undefined : { disputed: text };
    });
  }

  /** Begins a change of rows of indexed blocks: until {@link endAmending}, no block from there on is confirmed. */
  async beginAmending(blocks: Unconfirmed): Promise<void> {
    await this.#update((row) => {
      const { amending, list, revisions } = toSearch(row);
      const earliest = amending && amending.from < blocks.from ? amending : blocks;
      const revision = (revisions.at(-1)?.revision ?? 0) + 1;
      const earlier = revisions.filter(({ from }) => from < blocks.from);
      return {
        amending: JSON.stringify({ ...earliest, to: Math.max(blocks.to, amending?.to ?? 0) }),
        revisions: asJson([...earlier, { revision, from: blocks.from }]),
        // All holders are listed anew.
        ...{ list: list + 1, listedTo: undefined },
      };
    });
  }

  async endAmending(): Promise<void> {
    await this.#update((row) => ({ amending: undefined, list: toSearch(row).list + 1, listedTo: undefined }));
  }

  /** Stores the contracts that emit the protocol's events, or once did. */
  async setContracts(contracts: readonly string[]): Promise<void> {
    // DynamoDB has no empty sets.
    await this.#update(() => ({ contracts: contracts.length > 0 ? new Set(contracts) : undefined }));
  }

  /** Adds to these contracts. */
  async addContracts(contracts: readonly string[]): Promise<void> {
    await this.#update((row) => ({ contracts: new Set([...toSearch(row).contracts, ...contracts]) }));
  }

  /**
   * Marks an empty ledger as being imported from `source`. False if the ledger is not empty, or is being imported from
   * another source; the same source may begin again.
   */
  beginImport(source: string): Promise<boolean> {
    return this.#update((row) => {
      const { blocks, importing = source } = toSearch(row);
      return blocks || importing !== source ? undefined : { importing };
    });
  }

  /** Stores the progress of an imported ledger, once all its rows are written. False if the import has not been begun. */
  finishImport(source: string, indexed: Indexed): Promise<boolean> {
    return this.#update((row) => {
      const { blocks, importing } = toSearch(row);
      return blocks || importing !== source ? undefined : { ...importedRow(indexed), importing: undefined };
    });
  }

  async #update(change: (row: Row) => Row | undefined): Promise<boolean> {
    const isDone = await this.#table.rows.update(this.#subject(), SEARCH.position, change);
    this.#forget();
    return isDone;
  }

  #subject(): string {
    return keyOf(this.#table, SEARCH.subject);
  }
}
