import { setImmediate } from 'node:timers/promises';
import type { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Item } from '../../../lib/tables/attributes.ts';
import { DynamoTable } from '../../../lib/tables/dynamo-table.ts';
import type { Row } from '../../../lib/tables/series-table.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { clockAt } from '../../support/clock.ts';

/** The number of items written to a table that throttles. */

afterEach(() => {
  jest.restoreAllMocks();
});

const rowsUpTo = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n }));
const numbersOf = (rows: readonly Item[]) => rows.map(({ n }) => Number(n?.N)).sort((a, b) => a - b);

/** A table that leaves `leaves()` items of each batch unprocessed. Its clock does not wait. */
function tableOf(leaves = () => 0) {
  const written: Item[] = [];
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
    written.push(...taken.map(({ PutRequest }) => PutRequest?.Item as Item));
    const left = requests.slice(taken.length);
    return left.length > 0 ? { UnprocessedItems: { ledger: left } } : {};
  };
  const clock = { ...clockAt(() => 0), wait: async (ms: number) => void pauses.push(ms) };
  const table = new DynamoTable({ send } as unknown as DynamoDBClient, 'ledger', LEDGER, clock);
  return { table, written, batches, pauses, most };
}

test('rows are written once each, in batches of 25, eight at a time', async () => {
  const { table, ...seen } = tableOf();
  await table.putAll(rowsUpTo(260));
  expect(seen.batches.sort((a, b) => a - b)).toEqual([10, ...Array<number>(10).fill(25)]);
  expect(seen.most.atOnce).toBe(8);
  expect(numbersOf(seen.written)).toEqual([...Array(260).keys()]);
});

test('unprocessed rows of a batch are sent again, after longer and longer pauses', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  let left = 4;
  const { table, ...seen } = tableOf(() => {
    left -= 1;
    return left;
  });
  await table.putAll(rowsUpTo(20));
  expect(seen.batches).toEqual([20, 3, 2, 1]);
  expect(seen.pauses).toEqual([40, 80, 160]);
  expect(numbersOf(seen.written)).toEqual([...Array(20).keys()]);
});

test('a table that accepts nothing is an error after eight attempts', async () => {
  const { table, ...seen } = tableOf(() => 3);
  await expect(table.putAll(rowsUpTo(3))).rejects.toThrow('3 items were not written');
  expect(seen.batches).toHaveLength(8);
});
