import { readHistoryStart } from '../../lib/history/history-start.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { recordDistributions } from '../../lib/history/record-distributions.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { askWorker, type Past } from './ask-worker.ts';
import { startOnDevnet, type TestRuntime } from './runtime.ts';

/** Copies data of the shared devnet, recorded once for all tests, into the current tables. */
async function copy(past: Past): Promise<void> {
  const { DEVNET_RPC_URL, DEVNET_P_CHAIN_URL, DEVNET_DATA_API_URL, AWS_ENDPOINT_URL_DYNAMODB: endpoint } = process.env;
  await askWorker('PUT', { past, endpoint, devnet: { DEVNET_RPC_URL, DEVNET_P_CHAIN_URL, DEVNET_DATA_API_URL } });
}

/** Records such data. Called once, in the worker from which they are copied. */
export async function recordPast(past: Past): Promise<void> {
  const { opened } = startOnDevnet();
  if (past === 'ledger') return recordLedger({ opened });
  const { days } = await readHistoryStart(opened);
  await runRecorder(opened, days, { hoursFrom: END_OF_TIME, mayGoOn: () => true });
}

/**
 * Records the whole ledger of a container's chain in the current tables, or only its new entries, and lists its
 * holders. The shared devnet is the default; its forks may start with its ledger.
 */
export async function recordLedger(on?: Pick<TestRuntime, 'opened'>): Promise<void> {
  if (!on) return copy('ledger');
  const { chain, ledger } = on.opened;
  const { waiting } = await new LedgerRecorder(chain, ledger).run({ mayGoOn: () => true });
  if (waiting) throw waiting;
  await updateHolderList(ledger);
}

/** Records the history of the devnet's newest hour, and of all its days. */
export const recordAllDays = () => copy('days');

/** Records the history of the devnet's newest hour, and of this many days before it. */
export async function recordDays(days: number): Promise<void> {
  await runRecorder(startOnDevnet().opened, 1_700_000_000, { most: 1 + days, mayGoOn: () => true });
}

/** Records what the devnet's rewards cycles paid to whom. The ledger has to be recorded before. */
export async function recordCycles({ opened }: Pick<TestRuntime, 'opened'> = startOnDevnet()) {
  return recordDistributions(opened, { mayGoOn: () => true });
}
