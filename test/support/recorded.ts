import { chainOf } from '../../lib/chain/chain.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { sumUpHolders } from '../../lib/history/sum-holders.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { startOnDevnet, type TestRuntime } from './runtime.ts';

/**
 * Records the whole ledger of a container's chain, by default the shared devnet, in the current tables, and sums up its
 * holders' days.
 */
export async function recordLedger({ opened }: Pick<TestRuntime, 'opened'> = startOnDevnet()): Promise<void> {
  const mayGoOn = () => true;
  await new LedgerRecorder(chainOf(opened), ledgerOf(opened)).run({ mayGoOn });
  await sumUpHolders({ chain: chainOf(opened), ledger: ledgerOf(opened), mayGoOn });
}

/** Records the history of the devnet's newest hour, and of this many days before it. */
export async function recordDays(days: number): Promise<void> {
  const { opened, telemetry } = startOnDevnet();
  let boundaries = 0;
  await runRecorder({ chain: chainOf(opened), telemetry, store: historyOf(opened) }, 1_700_000_000, {
    parallel: 4,
    mayGoOn: () => boundaries++ <= days,
  });
}
