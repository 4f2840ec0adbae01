/**
 * The program that `npm run bench:backfill` measures, in a process of its own. It fills an empty ledger, whose writes of
 * rows are stubbed. With an interval and a number of points as arguments, it fills an empty series of the history.
 */

import { createServices } from '../../lib/api/services.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { fill, newestBoundary } from '../../lib/history/record-history.ts';
import { INTERVAL_SECONDS, type Interval } from '../../lib/history/series.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import { DynamoTable } from '../../lib/tables/dynamo-table.ts';
import { dynamoDB } from '../../lib/tables/dynamodb.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';

/** The message that this process sends when it is done. */
export interface FillUse {
  /** Events or points. */
  recorded: number;
  /** Rows of the ledger's table. */
  rows: number;
  seconds: number;
  cpuSeconds: number;
  /** The most memory that the process had at any time. */
  peakMB: number;
}

const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
const context = createServices(config, terminalTelemetry, { limits: RECORDER_LIMITS });
const mayGoOn = () => true;
let rows = 0;

async function fillLedger(): Promise<number> {
  const client = dynamoDB(RECORDER_LIMITS.durableTableMs);
  // Only the writes of rows are stubbed: the progress of the backfill is read from the real table, and written there.
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
  return (await new LedgerRecorder(context.chain, store).run({ mayGoOn })).added;
}

async function fillHistory(interval: Interval, points: number): Promise<number> {
  const head = await context.chain.head();
  const seconds = INTERVAL_SECONDS[interval];
  const newest = newestBoundary(head) - (newestBoundary(head) % seconds);
  const boundaries = Array.from({ length: points }, (_, index) => newest - index * seconds);
  return (await fill(context, head, boundaries, { mayGoOn })).recorded;
}

const [interval, points] = process.argv.slice(2) as [Interval?, string?];
const started = performance.now();
const recorded = await (interval ? fillHistory(interval, Number(points)) : fillLedger());
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const use: FillUse = {
  ...{ recorded, rows, seconds: (performance.now() - started) / 1_000 },
  cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  peakMB: (maxRSS * 1_024) / 1_000_000,
};
process.send?.(use, () => process.disconnect());
closeConnections();
