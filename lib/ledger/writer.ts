import { BatchWriteItemCommand, PutItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../runtime/parallel.ts';
import { conditional } from '../tables/dynamodb.ts';
import { chunked } from '../values/arrays.ts';
import type { LedgerTable, Row } from './rows.ts';

/** Puts rows into the ledger's table. */

const PARALLEL_WRITES = 8;
/** DynamoDB's limit for a batch. */
const BATCH_ROWS = 25;
/** Pauses of about five seconds in all. */
const MAX_BATCH_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 40;

/** Puts the rows of each entry that are absent. Returns, in the order of the entries, whether any of theirs was. */
export async function putIfAbsent(table: LedgerTable, entries: readonly (readonly Row[])[]): Promise<boolean[]> {
  return inParallel(entries, PARALLEL_WRITES, async (rows) =>
    (await Promise.all(rows.map((row) => put(table, row)))).includes(true),
  );
}

/** Puts rows whether or not they exist, with a tenth of the work. */
export async function putAll(table: LedgerTable, rows: readonly Row[]): Promise<void> {
  await inParallel(chunked(rows, BATCH_ROWS), PARALLEL_WRITES, (batch) => putBatch(table, batch));
}

function put({ client, name }: LedgerTable, row: Row): Promise<boolean> {
  const ConditionExpression = 'attribute_not_exists(subject)';
  return conditional(client.send(new PutItemCommand({ TableName: name, Item: row, ConditionExpression })));
}

/** The table may take only part of a batch: the rest is sent again, after growing random pauses. */
async function putBatch({ client, name, clock }: LedgerTable, rows: readonly Row[]): Promise<void> {
  let left: WriteRequest[] = rows.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 1; ; attempt += 1) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: left } }));
    left = UnprocessedItems?.[name] ?? [];
    if (left.length === 0) return;
    if (attempt === MAX_BATCH_ATTEMPTS)
      throw new Error(`the ledger's table is throttled: ${left.length} rows were not written`);
    await clock.wait(FIRST_PAUSE_MS * 2 ** attempt * Math.random());
  }
}
