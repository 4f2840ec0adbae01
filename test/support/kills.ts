import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const WRITES = new Set(['PutItemCommand', 'BatchWriteItemCommand', 'UpdateItemCommand']);

/** The error of every write after the kill. */
const KILLED = 'killed';

/**
 * Runs something as if its process were killed at its `last + 1`st write to a table: no write after that reaches the
 * table. Returns whether it was killed: false if it ended with fewer writes.
 */
export async function killAfterWrites(last: number, run: () => Promise<unknown>): Promise<boolean> {
  const { send } = DynamoDBClient.prototype;
  let writes = 0;
  DynamoDBClient.prototype.send = function (this: DynamoDBClient, ...request: Parameters<typeof send>) {
    const [command] = request;
    if (WRITES.has(command.constructor.name) && ++writes > last) return Promise.reject(new Error(KILLED));
    return send.apply(this, request);
  } as typeof send;
  try {
    await run();
    return false;
  } catch (error) {
    if (!isKill(error)) throw error;
    return true;
  } finally {
    DynamoDBClient.prototype.send = send;
  }
}

function isKill(error: unknown): boolean {
  return error instanceof Error && (error.message === KILLED || isKill(error.cause));
}
