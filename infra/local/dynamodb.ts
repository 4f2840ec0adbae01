import { mkdir } from 'node:fs/promises';
import { CreateTableCommand, DynamoDBClient, type KeySchemaElement, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { listen } from '../devnet/listen.ts';
import { TABLES } from '../stack/tables.ts';

/** An embedded DynamoDB engine with the stack's tables. */
export interface LocalDynamoDB {
  /** Environment variables that point the AWS SDK and the service at it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Time in ms that a stop waits for pending requests. They take milliseconds, unless the machine is busy. */
const STOP_MS = 2_000;

/** True if no other process keeps its tables in this folder. Creates the folder. Throws errors of the file system. */
export async function isFree(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const level = new Level(folder);
  try {
    await level.open();
  } catch (error) {
    if (((error as Error).cause as { code?: string } | undefined)?.code === 'LEVEL_LOCKED') return false;
    throw error;
  }
  await level.close();
  return true;
}

/** Starts dynalite in this process, on a free port of 127.0.0.1: with tables in memory, or in a folder that is free. */
export async function startDynamoDB(folder?: string): Promise<LocalDynamoDB> {
  // Each stored value would keep 8 kB of others in memory, with which Node allocates it: 180 MB in all.
  Buffer.poolSize = 0;
  const engine = dynalite({ ...(folder && { path: folder }), createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // It throws an error that nobody can catch if its tables are closed during a request.
  const { url, stop } = await listen(engine, 0, STOP_MS);
  return { env: await createTables(url, 'local'), stop };
}

/** Points this process's AWS SDK and service at an engine. A developer's own profile would take precedence over its keys. */
export function useDynamoDB(env: Record<string, string | undefined>): void {
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, env);
}

/** Creates those of the stack's tables that an engine lacks, and returns the environment variables that point at them. */
export async function createTables(endpoint: string, region: string): Promise<LocalDynamoDB['env']> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames: existing = [] } = await client.send(new ListTablesCommand());
  for (const name of Object.keys(TABLES))
    if (!existing.includes(name)) await createTable(client, name, name as keyof typeof TABLES);
  client.destroy();
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    CACHE_TABLE: 'cache',
    HISTORY_TABLE: 'history',
    LEDGER_TABLE: 'ledger',
  };
}

/** Creates a table of this name with the schema of one of the stack's. */
export async function createTable(client: DynamoDBClient, name: string, like: keyof typeof TABLES): Promise<void> {
  const table = TABLES[like];
  const keys: KeySchemaElement[] = [{ AttributeName: table.partitionKey, KeyType: 'HASH' }];
  if ('sortKey' in table) keys.push({ AttributeName: table.sortKey.name, KeyType: 'RANGE' });
  const sortKeyType = 'sortKey' in table ? table.sortKey.type : undefined;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys,
      AttributeDefinitions: keys.map(({ AttributeName, KeyType }) => ({
        AttributeName,
        AttributeType: KeyType === 'HASH' ? 'S' : sortKeyType,
      })),
    }),
  );
}
