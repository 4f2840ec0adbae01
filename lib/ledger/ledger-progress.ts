/**
 * The one row that says which blocks have been searched: the coverage. It grows only once all rows of the new blocks
 * are written, so whoever knows it as of some seconds ago sees a little less, but never a gap.
 */

import { ApiError } from '../runtime/errors.ts';
import { LEDGER, orUnavailable } from '../tables/forms.ts';
import { countIn } from '../tables/rows.ts';
import type { Row, Value } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import { type Coverage, TOLERATED_LAG_SECONDS } from './coverage.ts';
import { concerns, confirmedBefore, type Mismatch, type Scope } from './mismatches.ts';
import { keyOf, type LedgerTable } from './rows.ts';

/**
 * How long the coverage is cached, so that not every request reads it; less than the time between two recorder runs.
 */
const REMEMBERED_MS = 1_000;

/**
 * For how long after a block more may be found in it, seconds. The head in the same batch as the logs shows how far a
 * provider has come; but a gateway may split the batch, and have a node answer a part of it that is behind. Blocks are
 * final within two seconds, and such nodes some seconds behind. Two runs of the recorder are far more than that, and
 * short enough for whoever follows events. A block that was searched when the head was that much later is settled.
 */
export const SETTLING_SECONDS = 120;

/** Where the row is. */
export const SEARCH = { subject: 'search', position: 'blocks' };

/** What an audit found. */
export interface Audit {
  block: BlockRef;
  /** When it was made, unix seconds. */
  at: number;
  mismatches: Mismatch[];
  /** Up to where all of the ledger agrees with the contracts. */
  provenAt: BlockRef | undefined;
  /** How often each provider left out what another one had. */
  providers: Readonly<Record<string, number>>;
}

/** How far the search has come. */
export interface Search {
  /** The first and last searched block, and the last one's time; undefined before the first search. */
  blocks: { from: number; to: number; toTimestamp?: number | undefined } | undefined;
  /** A block up to which all are settled; undefined until a recorder has begun. */
  settled: number | undefined;
  /** An end of the searched blocks that is settled once another one is {@link SETTLING_SECONDS} later. */
  settling: BlockRef | undefined;
  /** The protocol's first block, once it is known. */
  first: number | undefined;
  /** Contracts that have been found in the registry: `<name>#<address>`. */
  contracts: string[];
  /** Which list of holders (`holder-list.ts`) is of these entries. */
  list: number;
  /** All entries up to this time (unix seconds) are in it; undefined before the first one. */
  listedTo: number | undefined;
  /** The last audit; undefined before the first one. */
  audit: Audit | undefined;
  /** From where it is being filled, see {@link LedgerProgress.beginImport}. */
  importing?: string | undefined;
}

/** What has been searched elsewhere. */
type Searched = NonNullable<Search['blocks']> &
  Pick<Search, 'contracts'> &
  Partial<Pick<Search, 'first' | 'settled'>> & { mismatches?: Mismatch[] | undefined };

interface Progress extends Pick<Search, 'list' | 'listedTo'> {
  coverage: Coverage;
  mismatches: readonly Mismatch[];
  /** The coverage as far as only mismatches of a scope count; by default all. */
  coverageOf: (scope?: Scope) => Coverage;
}

export class LedgerProgress {
  readonly #table: LedgerTable;
  #remembered: { known: Promise<Progress>; until: number } | undefined;

  constructor(table: LedgerTable) {
    this.#table = table;
  }

  /**
   * What has been searched, as of a second ago at most. Throws UPSTREAM_UNAVAILABLE if that cannot be read, or if nothing
   * has been searched yet.
   */
  async coverage(): Promise<Coverage> {
    return (await this.latest()).coverage;
  }

  /** What has been searched and which holders are listed, as of a second ago at most. Throws like {@link coverage}. */
  latest(): Promise<Progress> {
    const now = this.#table.clock.now();
    if (this.#remembered && now < this.#remembered.until) return this.#remembered.known;
    const known = this.latestUncached();
    this.#remembered = { known, until: now + REMEMBERED_MS };
    known.catch(() => this.#forget());
    return known;
  }

  /** What {@link latest} gives, as of now: for rows that were read before, and may be of newer blocks than is remembered. */
  async latestUncached(): Promise<Progress> {
    const { blocks, first, list, listedTo, audit } = await this.read();
    if (!blocks)
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'The ledger has not been recorded yet. Please try again shortly.');
    const isWhole = first !== undefined && blocks.from <= first;
    const coverageOf = (scope?: Scope): Coverage => {
      const { from: fromBlock, to: toBlock, toTimestamp = 0 } = blocks;
      const mismatches = audit?.mismatches.filter((one) => concerns(one, scope)) ?? [];
      const end = mismatches.length > 0 ? confirmedBefore(mismatches) : { number: toBlock, timestamp: toTimestamp };
      const confirmed = isWhole ? end : undefined;
      const complete = confirmed !== undefined && confirmed.timestamp >= toTimestamp - TOLERATED_LAG_SECONDS;
      return { fromBlock, toBlock, toTimestamp, confirmed, sources: 1, complete };
    };
    return { coverage: coverageOf(), coverageOf, mismatches: audit?.mismatches ?? [], list, listedTo };
  }

  #forget(): void {
    this.#remembered = undefined;
  }

  /** How far the search has come, uncached. Throws UPSTREAM_UNAVAILABLE if the table does not answer that. */
  async read(): Promise<Search> {
    const row = this.#table.rows.get(this.#subject(), SEARCH.position);
    return orUnavailable(LEDGER, row.then(toSearch));
  }

  /**
   * Extends the coverage by blocks whose rows have been written. False if they do not touch it (there must be no gap);
   * an empty coverage takes any. `toTimestamp` is the time of block `to`, needed only if that is the new end. A new end
   * must be of a run that has searched all blocks that are not settled.
   */
  extend(from: number, to: number, toTimestamp?: number): Promise<boolean> {
    return this.#update((row) => {
      const search = toSearch(row);
      const { blocks } = search;
      if (blocks && (from > blocks.to + 1 || to < blocks.from - 1)) return undefined;
      const joined = { from: Math.min(from, blocks?.from ?? from), to: Math.max(to, blocks?.to ?? to) };
      if (to !== joined.to || toTimestamp === undefined) return joined;
      const settled = settle(search, { number: to, timestamp: toTimestamp });
      return { ...joined, timedBlock: to, timedAt: toTimestamp, ...settled };
    });
  }

  /** Stores the protocol's first block. */
  async setFirst(first: number): Promise<void> {
    await this.#update(() => ({ first }));
  }

  /** Stores up to which block all are settled, or will be once they are searched. */
  async setSettled(settled: number): Promise<void> {
    await this.#update(() => ({ settled }));
  }

  /** Stores up to which time this list of holders goes, if it still counts. All its rows must have been written. */
  async setListedTo(list: number, listedTo: number): Promise<void> {
    await this.#update((row) => (toSearch(row).list === list ? { listedTo } : undefined));
  }

  /** Stores what an audit found. */
  async setAudit(audit: Audit): Promise<void> {
    await this.#update(() => ({ audit: JSON.stringify(audit) }));
  }

  /** Has all holders listed anew. */
  async beginList(): Promise<void> {
    await this.#update((row) => ({ list: toSearch(row).list + 1, listedTo: undefined }));
  }

  /** Stores contracts that emit the protocol's events, or once did. */
  async addContracts(contracts: readonly string[]): Promise<void> {
    await this.#update((row) => ({ contracts: new Set([...toSearch(row).contracts, ...contracts]) }));
  }

  /**
   * Marks an empty ledger as being filled from elsewhere, which `source` names. False if it is not empty, or is being
   * filled from another source; the same source may begin again.
   */
  beginImport(source: string): Promise<boolean> {
    return this.#update((row) => {
      const { blocks, importing = source } = toSearch(row);
      return blocks || importing !== source ? undefined : { importing };
    });
  }

  /** What has been searched elsewhere, once all its rows are written. False if the import has not been begun. */
  finishImport(source: string, searched: Searched): Promise<boolean> {
    return this.#update((row) => {
      const { blocks, importing } = toSearch(row);
      return blocks || importing !== source ? undefined : { ...importedRow(searched), importing: undefined };
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

/** Throws if a number is damaged: without the coverage, nothing may be shown, and nothing searched anew. */
function toSearch(row: Row = {}): Search {
  const { from, to, timedBlock, timedAt, settled, settlingBlock, settlingAt } = row;
  const { first, contracts, importing, audit, list = 0, listedTo } = row;
  const known = (value: Value | undefined) => (value === undefined ? undefined : countIn(value));
  return {
    blocks:
      from === undefined || to === undefined
        ? undefined
        : // A recorder of an older release moves `to` without its time.
          { from: countIn(from), to: countIn(to), toTimestamp: timedBlock === to ? known(timedAt) : undefined },
    settled: known(settled),
    settling:
      settlingBlock === undefined || settlingAt === undefined
        ? undefined
        : { number: countIn(settlingBlock), timestamp: countIn(settlingAt) },
    first: known(first),
    contracts: [...((contracts ?? []) as Iterable<string>)],
    list: countIn(list),
    listedTo: known(listedTo),
    audit: audit === undefined ? undefined : JSON.parse(audit as string),
    importing: importing as string | undefined,
  };
}

/** What has been searched elsewhere, as attributes of the row. */
export function importedRow({ from, to, toTimestamp, settled, first, contracts, mismatches }: Searched): Row {
  return {
    ...{ from, to, settled, first },
    ...(toTimestamp !== undefined && {
      ...{ timedBlock: to, timedAt: toTimestamp, settlingBlock: to, settlingAt: toTimestamp },
    }),
    // DynamoDB has no empty sets.
    contracts: contracts.length > 0 ? new Set(contracts) : undefined,
    audit: mismatches && JSON.stringify(importedAudit({ number: to, timestamp: toTimestamp ?? 0 }, mismatches)),
  };
}

function importedAudit(block: BlockRef, mismatches: Mismatch[]): Audit {
  return { block, at: block.timestamp, mismatches, provenAt: confirmedBefore(mismatches), providers: {} };
}

/** What is settled once the searched blocks end at `end`: an earlier end, if that was long enough before. */
function settle({ settling }: Search, end: BlockRef): Record<string, number> {
  if (settling && end.timestamp - settling.timestamp < SETTLING_SECONDS) return {};
  return { ...(settling && { settled: settling.number }), settlingBlock: end.number, settlingAt: end.timestamp };
}
