/** Puts rows into the ledger's table, if they are absent, and deletes rows. */

import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../runtime/parallel.ts';
import { conditional } from '../tables/dynamodb.ts';
import type { Row } from '../tables/rows.ts';
import type { LedgerTable } from './rows.ts';

const PARALLEL_WRITES = 8;

/** Puts the rows of each entry that are absent. Returns, in the order of the entries, whether any of theirs was. */
export async function putIfAbsent(table: LedgerTable, entries: readonly (readonly Row[])[]): Promise<boolean[]> {
  return inParallel(entries, PARALLEL_WRITES, async (rows) =>
    (await Promise.all(rows.map((row) => put(table, row)))).includes(true),
  );
}

function put({ client, name }: LedgerTable, row: Row): Promise<boolean> {
  const ConditionExpression = 'attribute_not_exists(subject)';
  return conditional(client.send(new PutItemCommand({ TableName: name, Item: row, ConditionExpression })));
}

/** Deletes rows, whether or not they exist. Only their subject and position are used. */
export async function deleteAll({ client, name }: LedgerTable, rows: readonly Row[]): Promise<void> {
  await inParallel(rows, PARALLEL_WRITES, ({ subject, position }) => {
    const Key = { subject, position } as Row;
    return client.send(new DeleteItemCommand({ TableName: name, Key }));
  });
}
