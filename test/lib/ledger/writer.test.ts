import { setImmediate } from 'node:timers/promises';
import {
  type BatchWriteItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Row } from '../../../lib/ledger/rows.ts';
import { putAll, putIfAbsent } from '../../../lib/ledger/writer.ts';

/** How rows are written to a table that throttles, or that has some of them already. */

afterEach(() => {
  jest.restoreAllMocks();
});

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n: { N: String(n) } }));
const numbersOf = (rows: readonly Row[]) => rows.map(({ n }) => Number(n?.N)).sort((a, b) => a - b);

/** A table that has some rows, and leaves `leaves()` rows of each batch unprocessed. Its clock does not wait. */
function tableOf({ has = [] as readonly Row[], leaves = (): number => 0 } = {}) {
  const written: Row[] = [];
  const batches: number[] = [];
  const pauses: number[] = [];
  const most = { atOnce: 0 };
  let writing = 0;
  const put = ({ Item, ConditionExpression }: PutItemCommand['input']) => {
    if (ConditionExpression !== 'attribute_not_exists(subject)') throw new Error('would replace a row');
    if (has.includes(Item as Row)) throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
    written.push(Item as Row);
    return {};
  };
  const putBatch = (requests: { PutRequest?: { Item: unknown } }[]) => {
    batches.push(requests.length);
    const taken = requests.slice(0, requests.length - leaves());
    written.push(...taken.map(({ PutRequest }) => PutRequest?.Item as Row));
    const left = requests.slice(taken.length);
    return left.length > 0 ? { UnprocessedItems: { ledger: left } } : {};
  };
  const send = async ({ input }: PutItemCommand | BatchWriteItemCommand) => {
    writing += 1;
    most.atOnce = Math.max(most.atOnce, writing);
    await setImmediate();
    writing -= 1;
    return 'RequestItems' in input ? putBatch(input.RequestItems?.ledger as []) : put(input as PutItemCommand['input']);
  };
  const clock = { now: () => 0, wait: async (ms: number) => void pauses.push(ms) };
  const table = { client: { send } as unknown as DynamoDBClient, name: 'ledger', network: 'devnet', clock };
  return { ...table, written, batches, pauses, most };
}

test('rows are written once each, in batches of 25, eight at a time', async () => {
  const table = tableOf();
  await putAll(table, rowsUpTo(260));
  expect(table.batches.sort((a, b) => a - b)).toEqual([10, ...Array<number>(10).fill(25)]);
  expect(table.most.atOnce).toBe(8);
  expect(numbersOf(table.written)).toEqual(numbersOf(rowsUpTo(260)));
});

test('unprocessed rows of a batch are sent again, after longer and longer pauses', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  let left = 4;
  const table = tableOf({
    leaves: () => {
      left -= 1;
      return left;
    },
  });
  await putAll(table, rowsUpTo(20));
  expect(table.batches).toEqual([20, 3, 2, 1]);
  expect(table.pauses).toEqual([40, 80, 160]);
  expect(numbersOf(table.written)).toEqual(numbersOf(rowsUpTo(20)));
});

test('a table that accepts nothing is an error after eight attempts', async () => {
  const table = tableOf({ leaves: () => 3 });
  await expect(putAll(table, rowsUpTo(3))).rejects.toThrow('3 rows were not written');
  expect(table.batches).toHaveLength(8);
});

test('putIfAbsent says of each entry whether any of its rows is new, and replaces no row', async () => {
  const [one, two, three, four] = rowsUpTo(4) as [Row, Row, Row, Row];
  const table = tableOf({ has: [one, three] });
  expect(await putIfAbsent(table, [[one], [two], [three, four], [three]])).toEqual([false, true, true, false]);
  expect(table.written).toEqual([two, four]);
  expect(await putIfAbsent(table, [])).toEqual([]);
});
