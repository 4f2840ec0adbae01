import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readDataset } from '../../lib/cache/dataset.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { fill } from '../../lib/history/record-history.ts';
import { boundariesOf } from '../../lib/history/series.ts';
import { sumUpHolders } from '../../lib/history/sum-holders.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { operatorsDataset } from '../../lib/protocol/operators-dataset.ts';
import { createTable, type LocalDynamoDB, startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { openContainer, recordLedger } from './containers.ts';

/** One more than the longest window of `/metrics/apy`. */
const DAYS = 91;

/** Tables filled as the recorders leave them: with points of the newest days and hours, and with all events. */
export async function startFilledTables(upstreams: Record<string, string>) {
  const { env, stop } = await startDynamoDB();
  const recorder = openContainer({ ...env, ...upstreams }, terminalTelemetry);
  const head = await chainOf(recorder).head();
  const hours = boundariesOf('1h', head.timestamp - DAYS * 86_400, head.timestamp);
  const recording = { chain: chainOf(recorder), store: historyOf(recorder), telemetry: terminalTelemetry };
  const mayGoOn = () => true;
  await fill(recording, head, hours, { mayGoOn });
  await recordLedger(recorder);
  await sumUpHolders({ chain: chainOf(recorder), ledger: ledgerOf(recorder), mayGoOn });
  const client = new DynamoDBClient({ endpoint: env.AWS_ENDPOINT_URL_DYNAMODB as string });
  let caches = 0;
  return {
    stop,
    /** The same tables with a cache that only holds what all requests share: addresses, pools, recorded rates, minipools. */
    async withNewCache(): Promise<LocalDynamoDB> {
      caches += 1;
      const CACHE_TABLE = `cache-${caches}`;
      await createTable(client, CACHE_TABLE, 'cache');
      const before = openContainer({ ...env, ...upstreams, CACHE_TABLE }, terminalTelemetry);
      await readCachedPools(before);
      await readRecordedRates(before);
      await readDataset(before, operatorsDataset);
      return { env: { ...env, CACHE_TABLE }, stop: async () => {} };
    },
  };
}
