import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import { createTables, type LocalDynamoDB, startDynamoDB } from '../../infra/local/dynamodb.ts';

/**
 * Starts a DynamoDB engine with the stack's tables and points this process's AWS SDK at it. Where an emulator of AWS runs, the tables
 * are in that, in a region of their own.
 */
export async function startTables(): Promise<LocalDynamoDB> {
  const emulator = process.env.AWS_EMULATOR_TABLES_URL;
  const database = emulator
    ? { env: await createTables(emulator, randomUUID()), stop: async () => {} }
    : await startDynamoDB();
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
