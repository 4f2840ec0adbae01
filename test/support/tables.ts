import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { createTables, type LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { dynamoDB } from '../../lib/dynamodb.ts';

/** Against what never ends. */
export const GUARD_MS = 60_000;

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

/** In the thread of `tables.setup.ts`. */
async function startEngine(): Promise<LocalDynamoDB> {
  const engine = `${process.env.TABLES_URL}/${randomUUID()}`;
  const started = await fetch(engine, { method: 'POST' });
  return {
    env: (await started.json()) as LocalDynamoDB['env'],
    async stop() {
      await fetch(engine, { method: 'DELETE' });
    },
  };
}
