/** Puts many items into a table, with a tenth of the work of putting each. */

import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/parallel.ts';
import { chunked } from '../values/arrays.ts';
import type { Item } from './attributes.ts';

const PARALLEL_BATCHES = 8;
/** DynamoDB's limit for a batch. */
const BATCH_ITEMS = 25;
/** Pauses of about five seconds in all. */
const MAX_BATCH_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 40;

interface Table {
  client: DynamoDBClient;
  name: string;
  clock: Clock;
}

/** Puts items whether or not they exist. No two of them may have the same key. Throws what the table throws. */
export async function putAll(table: Table, items: readonly Item[]): Promise<void> {
  await inParallel(chunked(items, BATCH_ITEMS), PARALLEL_BATCHES, (batch) => putBatch(table, batch));
}

/** The table may take only part of a batch: the rest is sent again, after growing random pauses. */
async function putBatch({ client, name, clock }: Table, items: readonly Item[]): Promise<void> {
  let left: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 1; ; attempt += 1) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: left } }));
    left = UnprocessedItems?.[name] ?? [];
    if (left.length === 0) return;
    if (attempt === MAX_BATCH_ATTEMPTS)
      throw new Error(`the table ${name} is throttled: ${left.length} items were not written`);
    await clock.wait(FIRST_PAUSE_MS * 2 ** attempt * Math.random());
  }
}
