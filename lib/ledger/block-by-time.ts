/**
 * Maps times to blocks, so that what happened up to some time is found without reading what came later. The protocol's
 * own entries tell, for all subjects. They are read and remembered one UTC day at a time, so the days limit how much is
 * read, however many times are asked for.
 */

import { DAY } from '../values/durations.ts';
import type { Entry } from './ledger-entry.ts';
import type { Coverage } from './ledger-progress.ts';

/** Bisection steps over the searched blocks: they narrow years down to hours. */
const STEPS = 12;
const ROWS_OF_A_READ = 1_000;

/** The newest entries of the protocol before a block, down to another one, and whether there are more. */
type ReadBefore = (from: number, before: number, limit: number) => Promise<{ rows: Entry[]; more: boolean }>;

/** The oldest entry of the protocol in the searched blocks. */
type ReadOldest = (coverage: Coverage) => Promise<Entry | undefined>;

/** `block` has an entry, at `time`. */
interface BlockTime {
  time: number;
  block: number;
}

type Remembered<Key, T> = Pick<Map<Key, Promise<T>>, 'get' | 'delete'> & { set(key: Key, value: Promise<T>): unknown };

export class BlockByTime {
  readonly #readBefore: ReadBefore;
  readonly #readOldest: ReadOldest;
  readonly #oldest = new WeakMap<Coverage, Promise<Entry | undefined>>();
  readonly #newest = new WeakMap<Coverage, Promise<Entry | undefined>>();
  /** The block times of the newest entry's day. */
  readonly #running = new WeakMap<Coverage, Promise<BlockTime[]>>();
  #days = new Map<number, Promise<BlockTime[]>>();
  /** Where the searched blocks began when those days were read. */
  #from: number | undefined;

  constructor(readBefore: ReadBefore, readOldest: ReadOldest) {
    this.#readBefore = readBefore;
    this.#readOldest = readOldest;
  }

  /** The protocol's oldest entry in the searched blocks. */
  oldest(coverage: Coverage): Promise<Entry | undefined> {
    return remembered(this.#oldest, coverage, () => this.#readOldest(coverage));
  }

  /**
   * The first block with entries later than a time (unix seconds); if there are none yet, the block after the searched
   * ones, and if all are later, the first searched one.
   */
  async blockAfter(time: number, coverage: Coverage): Promise<number> {
    const newest = await remembered(this.#newest, coverage, () => this.#newestBefore(coverage.from, coverage.to + 1));
    if (!newest || newest.timestamp <= time) return coverage.to + 1;
    // Nothing happened before the oldest entry, so no day before it is searched.
    const oldest = (await this.oldest(coverage)) as Entry;
    if (time < oldest.timestamp) return coverage.from;
    const start = time - (time % DAY);
    const isOver = newest.timestamp >= start + DAY;
    const blockTimes = isOver
      ? remembered(this.#daysFrom(coverage), start, () => this.#readDay(start, coverage.from, newest.block))
      : remembered(this.#running, coverage, () => this.#readBlockTimes(start, coverage.from, coverage.to + 1));
    return ((await blockTimes).find((blockTime) => blockTime.time > time) as BlockTime).block;
  }

  /** The remembered days are valid until older blocks have been searched. */
  #daysFrom({ from }: Coverage) {
    if (this.#from !== from) this.#days = new Map();
    this.#from = from;
    return this.#days;
  }

  /** The block times of a day that ends before block `until`. */
  async #readDay(start: number, from: number, until: number): Promise<BlockTime[]> {
    let [low, high] = [from, until];
    for (let step = 0; step < STEPS && low < high; step += 1) {
      const middle = Math.floor((low + high) / 2);
      const entry = await this.#newestBefore(low, middle + 1);
      if (entry && entry.timestamp >= start + DAY) high = entry.block;
      else low = middle + 1;
    }
    return this.#readBlockTimes(start, from, high);
  }

  /** The blockTimes since a time and before a block, in order; the last one is that block, at time Infinity. */
  async #readBlockTimes(since: number, from: number, end: number): Promise<BlockTime[]> {
    const blockTimes = [{ time: Number.POSITIVE_INFINITY, block: end }];
    for (;;) {
      const { rows, more } = await this.#readBefore(from, blockTimes[0]?.block as number, ROWS_OF_A_READ);
      for (const { timestamp: time, block } of rows) {
        if (time < since) return blockTimes;
        blockTimes.unshift({ time, block });
      }
      if (!more) return blockTimes;
    }
  }

  async #newestBefore(from: number, before: number): Promise<Entry | undefined> {
    const { rows } = await this.#readBefore(from, before, 1);
    return rows[0];
  }
}

/** Memoizes `make` by key; a failure is not remembered. */
function remembered<Key, T>(known: Remembered<Key, T>, key: Key, make: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  value.catch(() => known.delete(key));
  return value;
}
