/** The flags that `npm run flags` has set: one item of the history's table, beside the points. */

import type { CacheContext } from '../cache/cache.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import { countIn, textIn } from '../tables/rows.ts';
import type { SeriesTable } from '../tables/series-table.ts';
import { HISTORY } from '../tables/table-schemas.ts';
import { type Flags, parseFlags } from './flags.ts';

export interface StoredFlags {
  version: number;
  /** Unix seconds. */
  updatedAt: number;
  flags: Flags;
}

export interface FlagsContext extends CacheContext {
  flags: FlagsStore;
}

export function openFlags(context: Context): FlagsStore {
  const { historyTable, network } = context.config;
  return new FlagsStore(durableTable(historyTable, HISTORY, context), network.name);
}

export class FlagsStore {
  readonly #table: SeriesTable;
  readonly #series: string;

  constructor(table: SeriesTable, network: string) {
    this.#table = table;
    this.#series = `${network}#flags`;
  }

  /** Throws if the table does not answer, or the item is invalid. */
  async read(): Promise<StoredFlags | undefined> {
    const row = await this.#table.get(this.#series, 0);
    if (!row) return undefined;
    const { version, updatedAt, flags } = row;
    return { version: countIn(version), updatedAt: countIn(updatedAt), flags: parseFlags(textIn(flags)) };
  }

  /** Writes the version after the one that was read. Returns false if another process has written it meanwhile. */
  write({ version, updatedAt, flags }: StoredFlags): Promise<boolean> {
    return this.#table.update(this.#series, 0, (row) =>
      Number(row.version ?? 0) < version ? { version, updatedAt, flags: JSON.stringify(flags) } : undefined,
    );
  }
}
