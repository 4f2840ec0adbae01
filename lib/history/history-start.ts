import type { LedgerContext } from '../ledger/ledger-store.ts';
import { boundaryBefore } from './series.ts';

/**
 * Returns the oldest boundaries to record, unix seconds. Without the setting, days begin with the protocol's first day once the
 * ledger's recorder has begun, and until then with the hours. Throws UPSTREAM_UNAVAILABLE if ledger or chain do not answer.
 */
export async function readHistoryStart(context: LedgerContext) {
  const { historyStart, hourlyStart } = context.config;
  const days = historyStart ?? (await readFirstDay(context)) ?? hourlyStart;
  return { days, hours: Math.max(days, hourlyStart) };
}

async function readFirstDay(context: LedgerContext): Promise<number | undefined> {
  const { blocks } = await context.ledger.progress.read();
  if (!blocks) return undefined;
  const { rpc, network } = context.chain;
  return boundaryBefore((await rpc.header(network.firstBlock)).timestamp, '1d');
}
