import type { LedgerContext } from '../ledger/ledger-store.ts';
import { boundaryBefore } from './series.ts';

/**
 * Returns the oldest boundaries to record, unix seconds. Without the setting, days begin with the protocol's first day once the
 * ledger's recorder has found it, and until then with the hours. Throws UPSTREAM_UNAVAILABLE if ledger or chain do not answer.
 */
export async function readHistoryStart(context: LedgerContext) {
  const { historyStart, hourlyStart } = context.config;
  const days = historyStart ?? (await readFirstDay(context)) ?? hourlyStart;
  return { days, hours: Math.max(days, hourlyStart) };
}

async function readFirstDay(context: LedgerContext): Promise<number | undefined> {
  const { first } = await context.ledger.progress.read();
  if (first === undefined) return undefined;
  return boundaryBefore((await context.chain.rpc.header(first)).timestamp, '1d');
}
