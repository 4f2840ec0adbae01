import { readdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { createFolder } from '../../lib/runtime/create-folder.ts';
import { listen } from '../devnet/listen.ts';
import { TABLES } from '../stack/tables.ts';
import { reasonOf, StartError } from './terminal.ts';

/** An embedded DynamoDB engine with the stack's tables. */
export type LocalDynamoDB = Awaited<ReturnType<typeof startDynamoDB>>;

/** Environment variables that name the tables of an engine. */
export const TABLE_NAMES = { CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };

/** Time in ms that a stop waits for pending requests. They take milliseconds, unless the machine is busy. */
const STOP_MS = 2_000;

/** Not among the types of `level`, because browsers lack it. */
const { repair } = Level as unknown as { repair(folder: string): Promise<void> };
/** LevelDB's files of sorted entries. */
const TABLE = /\.(ldb|sst)$/;
/** LevelDB's messages about damage. The others are about a lock, permissions, or a full disk. */
const DAMAGE = /corruption|no such file|invalid argument/i;

/** Creates the folder if need be, and repairs damaged files in it. Throws StartError if it cannot be used, or is in use. */
async function prepareFolder(folder: string, onStep: (line: string) => void): Promise<void> {
  try {
    createFolder(folder);
    const damage = await readAll(folder).catch(reasonOf);
    if (!damage) return;
    if (DAMAGE.test(damage)) await repair(folder);
    await readAll(folder);
    // A repair moves unreadable files there. Without a list of files, those that are gone are unknown.
    const lost = await readdir(join(folder, 'lost')).catch(() => []);
    const isLossless = /CURRENT|MANIFEST|descriptor/.test(damage) && !lost.some((name) => TABLE.test(name));
    const loss = isLossless ? 'Nothing is lost' : 'Entries of unreadable files are lost: delete it to record all anew';
    onStep(`--data: ${folder} was damaged and is repaired. ${loss}`);
  } catch (error) {
    const isLocked = ((error as Error).cause as { code?: string } | undefined)?.code === 'LEVEL_LOCKED';
    const problem = isLocked
      ? 'is in use by another npm start; stop that one, or'
      : `cannot be used (${reasonOf(error as Error)});`;
    throw new StartError(`--data: ${folder} ${problem} name another folder`);
  }
}

/** Rejects if an entry cannot be read. */
async function readAll(folder: string): Promise<void> {
  const names = await readdir(folder);
  // LevelDB would take the folder for a new one, and delete its tables.
  if (names.some((name) => TABLE.test(name) || name.endsWith('.log')) && !names.includes('CURRENT'))
    throw new Error('Corruption: no CURRENT');
  const level = new Level(folder);
  try {
    await level.open();
    const keys = level.keys();
    while ((await keys.nextv(10_000)).length > 0);
  } finally {
    await level.close();
  }
}

/**
 * Starts dynalite in this process, on an unused port of 127.0.0.1. Tables are in memory, or in a folder that no other process
 * uses. Nothing of the developer's AWS settings, such as FIPS endpoints, reaches a client of it.
 */
export async function startDynamoDB(folder?: string, onStep: (line: string) => void = () => {}) {
  if (folder) await prepareFolder(folder, onStep);
  useDynamoDB({});
  // Disables Node's buffer pool for this process: each stored value would keep its whole 8 kB pool chunk in memory, 180 MB in total.
  Buffer.poolSize = 0;
  const engine = dynalite({ ...(folder && { path: folder }), createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // Longer than requests are apart: one that is sent while its connection is being closed fails.
  engine.keepAliveTimeout = 60_000;
  // A stop waits for pending requests: dynalite throws an uncatchable error if its tables are closed during one.
  const { url, stop } = await listen(engine, 0, STOP_MS);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: url, region: 'local', credentials });
  const { TableNames: existing = [] } = await client.send(new ListTablesCommand());
  for (const name of Object.keys(TABLES) as (keyof typeof TABLES)[])
    if (!existing.includes(name)) await createTable(client, name, name);
  client.destroy();
  /** Environment variables that point the AWS SDK and the service at the engine. */
  const env: Record<string, string> = {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...TABLE_NAMES,
  };
  return { env, stop };
}

/** Points this process's AWS SDK and service at an engine, whatever the developer's variables and profiles say. */
export function useDynamoDB(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull, ...env });
}

/** Creates a table of this name with the schema of the stack's table `like`. */
export async function createTable(client: DynamoDBClient, name: string, like: keyof typeof TABLES): Promise<void> {
  const { partitionKey, ...table } = TABLES[like];
  const keys = [{ name: partitionKey, type: 'S' as const }, ...('sortKey' in table ? [table.sortKey] : [])];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys.map((key, index) => ({ AttributeName: key.name, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key.name, AttributeType: key.type })),
    }),
  );
}
