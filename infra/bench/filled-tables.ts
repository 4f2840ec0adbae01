import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { readDataset } from '../../lib/cache/dataset.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { marketDataset, readCachedPools } from '../../lib/prices/current.ts';
import { TRADER_JOE } from '../../lib/prices/exchanges.ts';
import { currentDataset } from '../../lib/protocol/overview.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { createTable, type LocalDynamoDB, startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { openContainer, recordHistory, recordLedger } from './containers.ts';

/** One more than the longest window of `/metrics/apy`. */
const DAYS = 91;
const HOUR_MS = 3_600_000;

/** Tables filled as the recorders leave them: with points of the newest days and hours, and with all events. */
export async function startFilledTables(upstreams: Record<string, string>) {
  const { env, stop } = await startDynamoDB();
  const recorder = openContainer({ ...env, ...upstreams }, terminalTelemetry);
  await recordHistory(recorder, '1h', DAYS);
  await recordLedger(recorder);
  await recorder.ledger.listHolders();
  const client = new DynamoDBClient({ endpoint: env.AWS_ENDPOINT_URL_DYNAMODB as string });
  const expire = (TableName: string, pk: string) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { pk: { S: pk } },
        UpdateExpression: 'SET freshUntil = :past, storedAt = :past',
        ExpressionAttributeValues: { ':past': { N: String(Date.now() - HOUR_MS) } },
      }),
    );
  let caches = 0;
  return {
    stop,
    /**
     * The same tables with a cache that only holds what all requests share (addresses, pools, recorded rates, the protocol), and readings
     * that have expired.
     */
    async withNewCache(): Promise<LocalDynamoDB> {
      caches += 1;
      const CACHE_TABLE = `cache-${caches}`;
      await createTable(client, CACHE_TABLE, 'cache');
      const before = openContainer({ ...env, ...upstreams, CACHE_TABLE }, terminalTelemetry);
      await readCachedPools(before);
      await readRecordedRates(before);
      await readDataset(before, protocolDataset);
      const market = marketDataset(TRADER_JOE.code);
      await Promise.all([readDataset(before, currentDataset), readDataset(before, market)]);
      for (const { name } of [currentDataset, market])
        await expire(CACHE_TABLE, `${before.config.release}#${before.config.network.name}#${name}`);
      return { env: { ...env, CACHE_TABLE }, stop: async () => {} };
    },
  };
}
