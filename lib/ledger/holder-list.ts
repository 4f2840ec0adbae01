/**
 * The ggAVAX balance of each holder, a row per address, so that `/holders` need not add up all transfers. The list
 * follows from the entries alone. An entry is added only when no earlier one can be found any more. So two recorders at
 * once, or one that dies at any moment and is run again, write the same. `Search.listedTo` is the time up to which all
 * rows are written. When entries of indexed blocks change, a new list is begun: readers and writers of the old list do
 * no harm.
 */

import { inParallel } from '../runtime/parallel.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import { END, keyOf, type LedgerTable } from './rows.ts';

const PARALLEL_UPDATES = 8;

/** The balance of an address at a time. */
export interface ListedHolder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei; 0 if the address no longer holds any. */
  shares: bigint;
  /** Time at which the address first held ggAVAX, unix seconds. */
  since: number;
  /** Time of the last listed change of the balance, unix seconds. */
  until: number;
}

/** A change of an address's balance. */
export interface HolderChange {
  /** Lower-case 0x-hex. */
  address: string;
  /** Unix seconds. */
  time: number;
  /** ggAVAX wei, not 0. */
  shares: bigint;
}

export class HolderList {
  readonly #table: LedgerTable;

  constructor(table: LedgerTable) {
    this.#table = table;
  }

  /**
   * Reads all addresses of this list. The current balances are these plus the changes by entries after `Search.listedTo`,
   * for each address only those after its `until`. Throws UPSTREAM_UNAVAILABLE.
   */
  async read(list: number): Promise<ListedHolder[]> {
    const rows = await this.#table.rows.range(this.#subject(list), '0', END);
    const toHolder = ({ position, shares, since, until }: Row): ListedHolder => ({
      address: textIn(position, /^0x[\da-f]{40}$/),
      shares: bigintIn(String(shares)),
      since: countIn(since),
      until: countIn(until),
    });
    return intact(rows, toHolder, this.#table.warn);
  }

  /**
   * Adds changes to this list, in the order of their times, unless they are in it already. They must be all changes
   * between two times, so that no second is split between two calls. Throws what the table throws.
   */
  async add(list: number, changes: readonly HolderChange[]): Promise<void> {
    const ofHolders = [...Map.groupBy(changes, ({ address }) => address)];
    await inParallel(ofHolders, PARALLEL_UPDATES, ([address, own]) =>
      this.#table.rows.update(this.#subject(list), address, ({ until = 0, since, shares = 0 }) => {
        const later = own.filter(({ time }) => time > Number(until));
        const [first, last] = [later[0], later.at(-1)];
        if (!first || !last) return undefined;
        const sum = later.reduce((sum, change) => sum + change.shares, BigInt(shares as number | bigint));
        return { until: last.time, since: since ?? first.time, shares: sum };
      }),
    );
  }

  #subject(list: number): string {
    return keyOf(this.#table, `holders#${list}`);
  }
}
