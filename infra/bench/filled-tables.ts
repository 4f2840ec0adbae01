import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { recordedRates } from '../../lib/history/rates.ts';
import { fill } from '../../lib/history/recorder.ts';
import { boundariesOf } from '../../lib/history/series.ts';
import { historyOf } from '../../lib/history/store.ts';
import { LedgerRecorder } from '../../lib/ledger/recorder.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { knownPools } from '../../lib/prices/current.ts';
import { createTable, type LocalDynamoDB, startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/telemetry.ts';
import { openContainer } from './containers.ts';

const DAYS = 31;

/** Tables filled with the newest days and all events of the devnet that these upstreams belong to. */
export async function startFilledTables(upstreams: Record<string, string>) {
  const { env, stop } = await startDynamoDB();
  const recorder = openContainer({ ...env, ...upstreams }, terminalTelemetry);
  const head = await recorder.chain.head();
  const days = boundariesOf('1d', head.timestamp - DAYS * 86_400, head.timestamp);
  const recording = { chain: recorder.chain, store: historyOf(recorder), telemetry: terminalTelemetry };
  await fill(recording, head, days, { parallel: 4, mayGoOn: () => true });
  await new LedgerRecorder(recorder.chain, ledgerOf(recorder)).run({ mayGoOn: () => true });
  const client = new DynamoDBClient({ endpoint: env.AWS_ENDPOINT_URL_DYNAMODB as string });
  let caches = 0;
  return {
    stop,
    /** The same tables with a cache that only holds addresses, pools and recorded rates. */
    async withNewCache(): Promise<LocalDynamoDB> {
      caches += 1;
      const CACHE_TABLE = `cache-${caches}`;
      await createTable(client, CACHE_TABLE, 'cache');
      const before = openContainer({ ...env, ...upstreams, CACHE_TABLE }, terminalTelemetry);
      await knownPools(before);
      await recordedRates(before);
      return { env: { ...env, CACHE_TABLE }, stop: async () => {} };
    },
  };
}
