import { mkdir } from 'node:fs/promises';
import { CreateTableCommand, DynamoDBClient, type KeySchemaElement, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { listen } from '../devnet/listen.ts';
import { TABLES } from '../stack/tables.ts';
import { reasonOf } from './reason.ts';
import { StartError } from './start-error.ts';

/** An embedded DynamoDB engine with the stack's tables. */
export interface LocalDynamoDB {
  /** Environment variables that point the AWS SDK and the service at the engine. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Time in ms that a stop waits for pending requests. They take milliseconds, unless the machine is busy. */
const STOP_MS = 2_000;

/** Creates the folder if need be. Throws StartError if it cannot be used, or if another process keeps its tables there. */
export async function requireFree(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const level = new Level(folder);
    await level.open();
    await level.close();
  } catch (error) {
    const isLocked = ((error as Error).cause as { code?: string } | undefined)?.code === 'LEVEL_LOCKED';
    throw new StartError(
      isLocked
        ? `--data: ${folder} is in use by another npm start; stop that one, or name another folder`
        : `--data: ${folder} cannot be used (${reasonOf(error as Error)}); name another folder`,
    );
  }
}

/** Starts dynalite in this process, on an unused port of 127.0.0.1. Tables are in memory, or in a folder that no other process uses. */
export async function startDynamoDB(folder?: string): Promise<LocalDynamoDB> {
  // Disables Node's buffer pool for this process: each stored value would keep its whole 8 kB pool chunk in memory, 180 MB in total.
  Buffer.poolSize = 0;
  const engine = dynalite({ ...(folder && { path: folder }), createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // Longer than requests are apart: one that is sent while its connection is being closed fails.
  engine.keepAliveTimeout = 60_000;
  // A stop waits for pending requests: dynalite throws an uncatchable error if its tables are closed during one.
  const { url, stop } = await listen(engine, 0, STOP_MS);
  return { env: await createTables(url, 'local'), stop };
}

/** Points this process's AWS SDK and service at an engine. Removes AWS_PROFILE and AWS_SESSION_TOKEN, which would override the engine's keys. */
export function useDynamoDB(env: Record<string, string | undefined>): void {
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, env);
}

/** Creates the stack's tables that are missing in an engine. Returns the environment variables that point at the tables. */
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

/** Creates a table of this name with the schema of the stack's table `like`. */
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
