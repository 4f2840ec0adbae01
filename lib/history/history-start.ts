import type { LedgerContext } from '../ledger/ledger-store.ts';
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
export async function readHistoryStart(context: LedgerContext): Promise<HistoryStart> {
  const { historyStart, hourlyStart } = context.config;
  const days = historyStart ?? (await readFirstDay(context)) ?? hourlyStart;
  return { days, hours: Math.max(days, hourlyStart) };
}

async function readFirstDay(context: LedgerContext): Promise<number | undefined> {
  const { first } = await context.ledger.progress.read();
  if (first === undefined) return undefined;
  return boundaryBefore((await context.chain.rpc.header(first)).timestamp, '1d');
}
