import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type LocalDynamoDB, useDynamoDB } from '../../infra/local/dynamodb.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { NETWORKS, type Network } from '../../lib/runtime/networks.ts';
import { DynamoTable } from '../../lib/tables/dynamo-table.ts';
import { dynamoDB } from '../../lib/tables/dynamodb.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { askWorker } from './ask-worker.ts';
import { GUARD_MS } from './guard.ts';

/** Starts a DynamoDB engine with the stack's tables, and points this process's AWS SDK at it. */
export async function startTables(): Promise<LocalDynamoDB> {
  const database = await startEngine();
  useDynamoDB(database.env);
  return database;
}

/** The ledger of a network, in the tables that are in use. */
export function openLedger(
  network: Pick<Network, 'name' | 'firstBlock'> = NETWORKS.devnet,
  client = dynamoDB(GUARD_MS),
): LedgerStore {
  const rows = new DynamoTable(client, 'ledger', LEDGER);
  return new LedgerStore({ rows, network, clock: systemClock, warn: () => {} });
}

/** Makes a cached item this many seconds old, and stale. */
export async function makeStale(key: string, seconds: number, now = Date.now()): Promise<void> {
  const client = new DynamoDBClient({});
  const past = { N: String(now - seconds * 1_000) };
  const { Attributes } = await client.send(
    new UpdateItemCommand({
      TableName: 'cache',
      Key: { pk: { S: key } },
      UpdateExpression: 'SET freshUntil = :past, storedAt = :past',
      ExpressionAttributeValues: { ':past': past },
      ReturnValues: 'ALL_OLD',
    }),
  );
  if (!Attributes?.body) throw new Error(`${key} is not in the cache`);
  client.destroy();
}

/** Call it at the top of a test file: each test gets empty tables. */
export function tablesForEachTest(): void {
  let database: LocalDynamoDB;
  beforeEach(async () => {
    database = await startTables();
  });
  afterEach(() => database.stop());
}

/** Call it at the top of a test file: all its tests share tables, and a client for them. */
export function tablesForAllTests() {
  let database: LocalDynamoDB;
  const tables = {
    client: undefined as unknown as DynamoDBClient,
    /** Replaces the tables with empty ones; `client` still belongs to the old ones. */
    async renew() {
      await database.stop();
      database = await startTables();
    },
  };
  beforeAll(async () => {
    database = await startTables();
    tables.client = dynamoDB(GUARD_MS);
  });
  afterAll(async () => {
    tables.client.destroy();
    await database.stop();
  });
  return tables;
}

/** Starts an engine in the thread of `tables.setup.ts`. */
async function startEngine(): Promise<LocalDynamoDB> {
  const started = await askWorker('POST');
  const env = (await started.json()) as LocalDynamoDB['env'];
  return {
    env,
    async stop() {
      await askWorker('DELETE', { endpoint: env.AWS_ENDPOINT_URL_DYNAMODB });
    },
  };
}
