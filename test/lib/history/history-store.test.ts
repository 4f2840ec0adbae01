import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { HistoryStore, pointRow } from '../../../lib/history/history-store.ts';
import type { Point } from '../../../lib/history/point.ts';
import { DynamoTable } from '../../../lib/tables/dynamo-table.ts';
import { HISTORY } from '../../../lib/tables/table-schemas.ts';
import { HOUR } from '../../../lib/values/durations.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** The history table, on a real engine. */

const DAY_0 = 1_789_084_800; // 2026-09-11 00:00 UTC

const tables = tablesForAllTests();
let store: HistoryStore;
let network: string;
let networks = 0;

beforeEach(() => {
  network = `network-${++networks}`;
  store = historyOf(network);
});

const historyOf = (network: string) => new HistoryStore(new DynamoTable(tables.client, 'history', HISTORY), network);

const pointOf = (timestamp: number, values: Point['values'] = { totalAssets: 1n }): Point => ({
  timestamp,
  block: { number: timestamp / 10, timestamp: timestamp - 1 },
  values,
});

describe('a point', () => {
  test('is read back to the wei, without unknown values', async () => {
    const values = { totalAssets: 2n ** 256n - 1n, totalSupply: 0n, 'tj.ggpInAVAX': 7_144_999_999_999_999n };
    expect(await store.write('1h', pointOf(DAY_0, { ...values, valueLocked: undefined }))).toBe(true);
    expect(await store.points('1h', DAY_0, DAY_0)).toEqual([pointOf(DAY_0, values)]);
  });

  test('is in the series of its network and interval, by its boundary in seconds', async () => {
    await store.write('1d', pointOf(DAY_0));
    const Key = { series: { S: `${network}#1d` }, timestamp: { N: '1789084800' } };
    const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'history', Key }));
    expect(Item).toMatchObject({
      block: { N: '178908480' },
      blockTimestamp: { N: '1789084799' },
      values: { M: { totalAssets: { S: '1' } } },
    });
    expect(await store.points('1h', 0, DAY_0)).toEqual([]);
    expect(await historyOf('other').points('1d', 0, DAY_0)).toEqual([]);
  });

  test('of one validator is in a series of its own', async () => {
    const own = store.of('NodeID-A');
    await own.write('1h', pointOf(DAY_0));
    const others = [store, store.of('NodeID-B'), historyOf('other').of('NodeID-A')];
    const times = [own, ...others].map((one) => one.timestamps('1h', 0, DAY_0));
    expect(await Promise.all(times)).toEqual([[DAY_0], [], [], []]);
  });
});

test('the newest point is found behind thousands of damaged rows, with a query for each thousand', async () => {
  const table = new DynamoTable(tables.client, 'history', HISTORY);
  const rows = Array.from({ length: 3_000 }, (_, hour) => pointRow(`${network}#1h`, pointOf(DAY_0 + hour * HOUR)));
  await table.putAll(rows.map((row, hour) => (hour === 5 ? row : { ...row, block: -1 })));
  let queries = 0;
  const warnings: object[] = [];
  const counting = Object.assign(Object.create(table) as DynamoTable, {
    range: (...query: Parameters<DynamoTable['range']>) => {
      queries++;
      return table.range(...query);
    },
  });
  const counted = new HistoryStore(counting, network, (_, fields) => warnings.push(fields));
  expect(await counted.newest('1h', 0, DAY_0 + 9_999 * HOUR)).toEqual(pointOf(DAY_0 + 5 * HOUR));
  // 1, 2, 4 … 512 rows, and then 1,000 at a time.
  expect(queries).toBe(12);
  expect(await counted.newest('1h', 0, DAY_0 + 4 * HOUR)).toBeUndefined();
  expect(warnings).toHaveLength(1);
});

describe('a range', () => {
  beforeEach(async () => {
    for (const hour of [2, 0, 1, 3]) await store.write('1h', pointOf(DAY_0 + hour * HOUR));
  });

  test('includes both ends, and has the oldest point first', async () => {
    const times = async (from: number, to: number) => {
      const points = (await store.points('1h', from, to)).map(({ timestamp }) => timestamp - DAY_0);
      expect((await store.timestamps('1h', from, to)).map((timestamp) => timestamp - DAY_0)).toEqual(points);
      return points;
    };
    expect(await times(DAY_0, DAY_0 + 2 * HOUR)).toEqual([0, HOUR, 2 * HOUR]);
    expect(await times(DAY_0 + 1, DAY_0 + 2 * HOUR - 1)).toEqual([HOUR]);
    expect(await times(DAY_0 + 1, DAY_0)).toEqual([]);
    expect(await times(DAY_0 + 4 * HOUR, DAY_0 + 9 * HOUR)).toEqual([]);
  });

  test('knows its oldest boundary, in each series', async () => {
    expect(await store.recordedFrom('1h')).toBe(DAY_0);
    expect(await store.recordedFrom('1d')).toBeUndefined();
    expect(await store.of('NodeID-A').recordedFrom('1h')).toBeUndefined();
    // Older ones may be filled in.
    await store.write('1h', pointOf(DAY_0 - HOUR));
    expect(await store.recordedFrom('1h')).toBe(DAY_0 - HOUR);
  });

  test('has a newest point, if it has any', async () => {
    const newest = async (from: number, to: number) => (await store.newest('1h', from, to))?.timestamp;
    expect(await newest(0, DAY_0 + 9 * HOUR)).toBe(DAY_0 + 3 * HOUR);
    expect(await newest(DAY_0, DAY_0 + 2 * HOUR)).toBe(DAY_0 + 2 * HOUR);
    expect(await newest(DAY_0, DAY_0 + 2 * HOUR - 1)).toBe(DAY_0 + HOUR);
    expect(await newest(DAY_0, DAY_0)).toBe(DAY_0);
    expect(await newest(DAY_0 + 1, DAY_0 + HOUR - 1)).toBeUndefined();
  });
});
