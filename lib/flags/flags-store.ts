/** The flags that `npm run flags` has set: one item of the history's table, beside the points. */

import type { CacheContext } from '../cache/cache.ts';
import type { Context } from '../runtime/context.ts';
import { durableTable } from '../tables/dynamo-table.ts';
import { countIn, textIn } from '../tables/rows.ts';
import { HISTORY } from '../tables/table-schemas.ts';
import { type Flags, parseFlags } from './flags.ts';

/** `updatedAt` in unix seconds. */
type StoredFlags = Record<'version' | 'updatedAt', number> & { flags: Flags };

export type FlagsStore = ReturnType<typeof openFlags>;

export interface FlagsContext extends CacheContext {
  flags: FlagsStore;
}

export function openFlags(context: Pick<Context, 'config' | 'limits' | 'clock'>) {
  const { historyTable, network } = context.config;
  const table = durableTable(historyTable, HISTORY, context);
  const series = `${network.name}#flags`;
  return {
    /** Throws if the table does not answer, or the item is invalid. */
    async read(): Promise<StoredFlags | undefined> {
      const row = await table.get(series, 0);
      if (!row) return undefined;
      const { version, updatedAt, flags } = row;
      return { version: countIn(version), updatedAt: countIn(updatedAt), flags: parseFlags(textIn(flags)) };
    },
    /** Writes the version after the one that was read. Returns false if another process has written it meanwhile. */
    write: ({ version, updatedAt, flags }: StoredFlags) =>
      table.update(series, 0, (row) =>
        Number(row.version ?? 0) < version ? { version, updatedAt, flags: JSON.stringify(flags) } : undefined,
      ),
  };
}
