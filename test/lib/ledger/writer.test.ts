import { ConditionalCheckFailedException, type DynamoDBClient, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { putIfAbsent } from '../../../lib/ledger/writer.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Row } from '../../../lib/tables/rows.ts';

/** How rows are written to a table that has some of them already. */

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n: { N: String(n) } }));

/** A table that has some rows. */
function tableOf(has: readonly Row[]) {
  const written: Row[] = [];
  const send = async ({ input: { Item, ConditionExpression } }: PutItemCommand) => {
    if (ConditionExpression !== 'attribute_not_exists(subject)') throw new Error('would replace a row');
    if (has.includes(Item as Row)) throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
    written.push(Item as Row);
    return {};
  };
  const client = { send } as unknown as DynamoDBClient;
  return { client, name: 'ledger', network: 'devnet', clock: systemClock, warn: () => {}, written };
}

test('putIfAbsent says of each entry whether any of its rows is new, and replaces no row', async () => {
  const [one, two, three, four] = rowsUpTo(4) as [Row, Row, Row, Row];
  const table = tableOf([one, three]);
  expect(await putIfAbsent(table, [[one], [two], [three, four], [three]])).toEqual([false, true, true, false]);
  expect(table.written).toEqual([two, four]);
  expect(await putIfAbsent(table, [])).toEqual([]);
});
