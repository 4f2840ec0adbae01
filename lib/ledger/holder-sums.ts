/**
 * What the entries of each holder are summed up to, so that nobody has to read the whole past of an exchange: a row for
 * each UTC day with entries, and one row for each holder in a list of all. They follow from the entries alone, and only
 * days are summed up in which no more can be found. So two recorders at once, or one that dies at any moment and is run
 * again, write the same. `LedgerProgress.latest` tells up to which time all rows are written; later rows are not shown.
 */

import { inParallel } from '../runtime/parallel.ts';
import { LEDGER, orUnavailable } from '../tables/forms.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import { END, keyOf, type LedgerTable, SUMS_VERSION, startOf } from './rows.ts';

const PARALLEL_UPDATES = 8;

/** The entries of a holder on one UTC day. */
export interface HolderDayRow {
  /** Lower-case 0x-hex. */
  holder: string;
  /** End of the day, unix seconds; an entry of that very second belongs to it. */
  end: number;
  /** What they are summed up to: its form is the business of who writes and reads it. */
  sums: string;
}

/** What an address held at a time. */
export interface Holder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei; 0 for who holds none any more. */
  shares: bigint;
  /** When they first held any, unix seconds. */
  since: number;
  /** The end of the last day that is summed up for them, unix seconds: later entries come on top. */
  until: number;
}

/** By how much what an address holds has changed on a day. */
export interface HolderChange extends Pick<HolderDayRow, 'holder' | 'end'> {
  /** ggAVAX wei. */
  shares: bigint;
  /** Time of their first flow of that day, unix seconds. */
  first: number;
}

export class HolderSums {
  readonly #table: LedgerTable;

  constructor(table: LedgerTable) {
    this.#table = table;
  }

  /**
   * A holder's days that end no later than `until` (unix seconds), oldest first. Throws UPSTREAM_UNAVAILABLE, also if
   * one cannot be decoded: without it, all sums would be wrong.
   */
  async days<Day>(holder: string, until: number, decode: (sums: string) => Day): Promise<Day[]> {
    const rows = this.#table.rows.range(this.#daysOf(holder), startOf(0), startOf(until));
    return orUnavailable(
      LEDGER,
      rows.then((all) => all.map(({ sums }) => decode(textIn(sums)))),
    );
  }

  /** Writes days, whether or not they exist. Throws what the table throws. */
  async writeDays(days: readonly HolderDayRow[]): Promise<void> {
    await this.#table.rows.putAll(
      days.map(({ holder, end, sums }) => ({ subject: this.#daysOf(holder), position: startOf(end), sums })),
    );
  }

  /**
   * Everybody who held ggAVAX on a day that is summed up, by address. Those who hold any now: these, and what the
   * entries after `LedgerProgress.latest`'s `summedTo` have changed after each one's `until`. Throws UPSTREAM_UNAVAILABLE.
   */
  async holders(): Promise<Holder[]> {
    const rows = await this.#table.rows.range(this.#list(), '0', END);
    const toHolder = ({ position, shares, since, until }: Row): Holder => ({
      address: textIn(position, /^0x[\da-f]{40}$/),
      shares: bigintIn(String(shares)),
      since: countIn(since),
      until: countIn(until),
    });
    return intact(rows, toHolder, this.#table.warn);
  }

  /** Adds changes to that list, unless they are there already; those of one holder in the order of the days. */
  async addChanges(changes: readonly HolderChange[]): Promise<void> {
    const ofHolders = [...Map.groupBy(changes, ({ holder }) => holder).values()];
    await inParallel(ofHolders, PARALLEL_UPDATES, async (ofHolder) => {
      for (const change of ofHolder) await this.#addChange(change);
    });
  }

  /** Empties that list, so that all days can be added once more. Throws what the table throws. */
  async clearHolders(): Promise<void> {
    const subject = this.#list();
    await this.#table.rows.deleteAll((await this.holders()).map(({ address }) => ({ subject, position: address })));
  }

  #addChange({ holder, end, shares, first }: HolderChange): Promise<boolean> {
    return this.#table.rows.update(this.#list(), holder, ({ until, since = first, shares: before = 0 }) =>
      until !== undefined && Number(until) >= end
        ? undefined
        : { until: end, since, shares: BigInt(before as number | bigint) + shares },
    );
  }

  #daysOf(holder: string): string {
    return keyOf(this.#table, `days${SUMS_VERSION}#${holder}`);
  }

  #list(): string {
    return keyOf(this.#table, `holders${SUMS_VERSION}`);
  }
}
