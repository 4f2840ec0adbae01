/** What `npm run bench:backfill` measures, in a process of its own: fills an empty ledger, with its writes stood in for. */

import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { durableClient } from '../../lib/tables/durable.ts';
import { DynamoTable } from '../../lib/tables/dynamo-table.ts';
import { LEDGER } from '../../lib/tables/forms.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';

/** What this process sends when it is done. */
export interface BackfillUse {
  entries: number;
  rows: number;
  seconds: number;
  cpuSeconds: number;
  /** The most memory that the process had at any time. */
  peakMB: number;
}

const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
const client = durableClient(RECORDER_LIMITS);
let rows = 0;
// Only the writes of rows: how far the search has come is read from the real table, and written there.
client.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      if (commandName !== 'BatchWriteItemCommand') return next(args);
      const { RequestItems } = args.input as { RequestItems: Record<string, unknown[]> };
      rows += Object.values(RequestItems).flat().length;
      return { output: { $metadata: {} }, response: undefined };
    },
  { step: 'initialize' },
);
const store = new LedgerStore(new DynamoTable(client, config.ledgerTable, LEDGER), config.network.name);
const recorder = new LedgerRecorder(chainOf(createContext(config, terminalTelemetry, RECORDER_LIMITS)), store);
const started = performance.now();
const { added: entries } = await recorder.run({ mayGoOn: () => true });
const seconds = (performance.now() - started) / 1_000;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const use: BackfillUse = {
  ...{ entries, rows, seconds },
  cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  peakMB: (maxRSS * 1_024) / 1_000_000,
};
process.send?.(use, () => process.disconnect());
closeConnections();
