import { chainOf } from '../chain/chain.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import type { Context } from '../runtime/context.ts';
import { boundaryBefore } from './series.ts';

/** The oldest boundaries to record, unix seconds. */
export interface HistoryStart {
  days: number;
  hours: number;
}

/**
 * Returns the start from the settings. Without the setting, days begin with the protocol's first day once the ledger's
 * recorder has found it, and until then with the hours. Throws UPSTREAM_UNAVAILABLE if the ledger or the chain does not
 * answer.
 */
export async function readHistoryStart(context: Context): Promise<HistoryStart> {
  const { historyStart, hourlyStart } = context.config;
  const days = historyStart ?? (await readFirstDay(context)) ?? hourlyStart;
  return { days, hours: Math.max(days, hourlyStart) };
}

async function readFirstDay(context: Context): Promise<number | undefined> {
  const { first } = await ledgerOf(context).progress.read();
  if (first === undefined) return undefined;
  return boundaryBefore((await chainOf(context).rpc.header(first)).timestamp, '1d');
}
