/**
 * Who holds how much ggAVAX, so that `/holders` need not add up all transfers: a row for each address. It follows from
 * the entries alone, and only those are added before which no more can be found. So two recorders at once, or one that
 * dies at any moment and is run again, write the same. `Search.listedTo` tells up to which time all rows are written.
 * When entries of indexed blocks are changed, another list is begun: who still adds to the one before, or reads it, spoils nothing.
 */

import { inParallel } from '../runtime/parallel.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import { END, keyOf, type LedgerTable } from './rows.ts';

const PARALLEL_UPDATES = 8;

/** What an address held at a time. */
export interface ListedHolder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei; 0 for who holds none any more. */
  shares: bigint;
  /** When they first held any, unix seconds. */
  since: number;
  /** When that last changed, as far as it is listed, unix seconds. */
  until: number;
}

/** By how much what an address holds has changed. */
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
   * Everybody in this list, by address. Those who hold any now: these, and what the entries after `Search.listedTo` have
   * changed after each one's `until`. Throws UPSTREAM_UNAVAILABLE.
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
   * Adds changes to this list, in the order of their times, unless they are there already. They are all changes between
   * two times, none of which is within a second. Throws what the table throws.
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
