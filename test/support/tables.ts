import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { createTables, type LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { dynamoDB } from '../../lib/dynamodb.ts';

/** Against what never ends. */
const GUARD_MS = 60_000;

/**
 * Starts a DynamoDB engine with the stack's tables and points this process's AWS SDK at it. Where an emulator of AWS runs, the tables
 * are in that, in a region of their own.
 */
export async function startTables(): Promise<LocalDynamoDB> {
  const emulator = process.env.AWS_EMULATOR_TABLES_URL;
  const database = emulator
    ? { env: await createTables(emulator, randomUUID()), stop: async () => {} }
    : await startEngine();
  Object.assign(process.env, database.env);
  return database;
}

/** For the head of a test file: each of its tests finds empty tables. */
export function tablesForEachTest(): void {
  let database: LocalDynamoDB;
  beforeEach(async () => {
    database = await startTables();
  });
  afterEach(() => database.stop());
}

/** For the head of a test file: tables that all of its tests share, with a client of them. */
export function tablesForAllTests() {
  let database: LocalDynamoDB;
  const tables = {
    client: undefined as unknown as DynamoDBClient,
    /** From now on there are other ones, which are empty; `client` stays with the old ones. */
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

/** In a thread of its own: among Jest's modules the engine takes three times as long, and the test waits for it. */
let worker: Worker | undefined;
let engines = 0;

async function startEngine(): Promise<LocalDynamoDB> {
  const id = engines++;
  const env = await ask(id, 'start');
  return { env, stop: async () => void (await ask(id, 'stop')) };
}

function ask(id: number, method: 'start' | 'stop'): Promise<LocalDynamoDB['env']> {
  worker ??= new Worker(new URL('tables-worker.ts', import.meta.url), { execArgv: [] });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<LocalDynamoDB['env']>();
  const answered = (answer: { id: number; env: LocalDynamoDB['env'] }) => {
    if (answer.id !== id) return;
    worker?.off('message', answered).off('error', reject).unref();
    resolve(answer.env);
  };
  worker.on('message', answered).on('error', reject);
  worker.postMessage({ id, method });
  return promise;
}
