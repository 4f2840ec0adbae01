/**
 * The ggAVAX balance of each holder, a row per address, so that `/holders` need not add up all transfers. Each row carries
 * the block up to which it has all changes, and the state the block up to which all rows do. So two recorders at once, or
 * one that dies at any moment and is run again, write the same.
 */

import { inParallel } from '../runtime/parallel.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import { listChanges } from './balance-changes.ts';
import type { Entry } from './ledger-entry.ts';
import type { Blocks, LedgerProgress } from './ledger-state.ts';
import { END, keyOf, type LedgerTable } from './rows.ts';

const PARALLEL_UPDATES = 8;

export interface ListedHolder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei; 0 if the address no longer holds any. */
  shares: bigint;
  /** Time at which the address first held ggAVAX, unix seconds. */
  since: number;
  block: number;
}

/** Reads the entries of some blocks, from a time (unix seconds) on, page after page. */
type ReadPages = (blocks: Blocks, since: number) => AsyncIterable<Entry[]>;

export class HolderList {
  readonly #table: LedgerTable;
  readonly #progress: LedgerProgress;

  constructor(table: LedgerTable, progress: LedgerProgress) {
    this.#table = table;
    this.#progress = progress;
  }

  /** All addresses of a generation's list. Throws UPSTREAM_UNAVAILABLE. */
  async read(generation: number): Promise<ListedHolder[]> {
    return intact(await this.#rows(generation), toHolder, this.#table.warn);
  }

  /**
   * Brings the list up to the covered blocks, once these reach back to the protocol's first one. `mayGoOn` is awaited after
   * each page: false ends it. Throws what the table throws.
   */
  async update(read: ReadPages, mayGoOn: () => boolean | Promise<boolean> = () => true): Promise<void> {
    const { blocks, generation, first, listedTo = { number: -1, timestamp: 0 } } = await this.#progress.read();
    if (!blocks || first === undefined || blocks.from > first || listedTo.number >= blocks.to) return;
    let open: Entry[] = [];
    for await (const page of read({ from: listedTo.number + 1, to: blocks.to }, listedTo.timestamp)) {
      const entries = [...open, ...page];
      // The next page may have more of the last block.
      open = entries.filter(({ block }) => block === entries.at(-1)?.block);
      const last = entries.at(-1 - open.length);
      if (last) await this.#add(generation, entries.slice(0, -open.length), { ...last, number: last.block });
      if (!(await mayGoOn())) return;
    }
    await this.#add(generation, open, { number: blocks.to, timestamp: blocks.toTimestamp });
  }

  /** Adds the entries of whole blocks, which end at `to`. */
  async #add(generation: number, entries: readonly Entry[], { number, timestamp }: BlockRef): Promise<void> {
    const changes = entries.flatMap((entry) =>
      listChanges(entry).flatMap(([address, shares]) => (shares === 0n ? [] : { address, shares, entry })),
    );
    const ofHolders = [...Map.groupBy(changes, ({ address }) => address)];
    await inParallel(ofHolders, PARALLEL_UPDATES, ([address, own]) =>
      this.#table.rows.update(this.#subject(generation), address, ({ block = -1, since, shares = 0 }) => {
        const later = own.filter(({ entry }) => entry.block > Number(block));
        const sum = later.reduce((sum, change) => sum + change.shares, BigInt(shares as number | bigint));
        return later[0] && { block: number, since: since ?? later[0].entry.timestamp, shares: sum };
      }),
    );
    await this.#progress.update((state) =>
      state.generation === generation && (state.listedTo?.number ?? -1) < number
        ? { listedTo: { number, timestamp } }
        : undefined,
    );
  }

  async delete(generation: number): Promise<void> {
    await this.#table.rows.deleteAll(await this.#rows(generation));
  }

  #rows(generation: number): Promise<Row[]> {
    return this.#table.rows.range(this.#subject(generation), '0', END);
  }

  #subject(generation: number): string {
    return keyOf(this.#table, 'holders', generation);
  }
}

function toHolder({ position, shares, since, block }: Row): ListedHolder {
  return {
    address: textIn(position, /^0x[\da-f]{40}$/),
    shares: bigintIn(String(shares)),
    since: countIn(since),
    block: countIn(block),
  };
}
