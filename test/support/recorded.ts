import { runRecorder } from '../../lib/history/recorder.ts';
import { historyOf } from '../../lib/history/store.ts';
import { LedgerRecorder } from '../../lib/ledger/recorder.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { startOnDevnet } from './runtime.ts';

/** The whole ledger of the devnet that all tests share, in the tables that run now. */
export async function recordLedger(): Promise<void> {
  const { opened } = startOnDevnet();
  await new LedgerRecorder(opened.chain, ledgerOf(opened)).run({ mayGoOn: () => true });
}

/** Its newest hour, and so many days before. */
export async function recordDays(days: number): Promise<void> {
  const { opened, telemetry } = startOnDevnet();
  let boundaries = 0;
  await runRecorder({ chain: opened.chain, telemetry, store: historyOf(opened) }, 1_700_000_000, {
    parallel: 4,
    mayGoOn: () => boundaries++ <= days,
  });
}
