import { setImmediate } from 'node:timers/promises';
import type { AttributeValue, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import { putAll } from '../../../lib/tables/batches.ts';

/** How many items are written to a table that throttles. */

type Row = Record<string, AttributeValue>;

afterEach(() => {
  jest.restoreAllMocks();
});

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n: { N: String(n) } }));
const numbersOf = (rows: readonly Row[]) => rows.map(({ n }) => Number(n?.N)).sort((a, b) => a - b);

/** A table that leaves `leaves()` items of each batch unprocessed. Its clock does not wait. */
function tableOf(leaves = () => 0) {
  const written: Row[] = [];
  const batches: number[] = [];
  const pauses: number[] = [];
  const most = { atOnce: 0 };
  let writing = 0;
  const send = async ({ input }: BatchWriteItemCommand) => {
    writing += 1;
    most.atOnce = Math.max(most.atOnce, writing);
    await setImmediate();
    writing -= 1;
    const requests = input.RequestItems?.ledger ?? [];
    batches.push(requests.length);
    const taken = requests.slice(0, requests.length - leaves());
    written.push(...taken.map(({ PutRequest }) => PutRequest?.Item as Row));
    const left = requests.slice(taken.length);
    return left.length > 0 ? { UnprocessedItems: { ledger: left } } : {};
  };
  const clock = { now: () => 0, wait: async (ms: number) => void pauses.push(ms) };
  return { client: { send } as unknown as DynamoDBClient, name: 'ledger', clock, written, batches, pauses, most };
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
  const table = tableOf(() => {
    left -= 1;
    return left;
  });
  await putAll(table, rowsUpTo(20));
  expect(table.batches).toEqual([20, 3, 2, 1]);
  expect(table.pauses).toEqual([40, 80, 160]);
  expect(numbersOf(table.written)).toEqual(numbersOf(rowsUpTo(20)));
});

test('a table that accepts nothing is an error after eight attempts', async () => {
  const table = tableOf(() => 3);
  await expect(putAll(table, rowsUpTo(3))).rejects.toThrow('3 items were not written');
  expect(table.batches).toHaveLength(8);
});
