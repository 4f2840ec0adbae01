import { type LocalDynamoDB, startDynamoDB } from '../../infra/local/dynamodb.ts';

/** Starts a DynamoDB engine with the stack's tables and points this process's AWS SDK at it. */
export async function startTables(): Promise<LocalDynamoDB> {
  const database = await startDynamoDB();
  Object.assign(process.env, database.env);
  return database;
}
