import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { marshall } from '../../../lib/tables/attributes.ts';
import { DynamoTable } from '../../../lib/tables/dynamo-table.ts';
import { dynamoDB } from '../../../lib/tables/dynamodb.ts';
import type { Row, SeriesTable } from '../../../lib/tables/series-table.ts';
import { HISTORY, LEDGER } from '../../../lib/tables/table-schemas.ts';
import { GUARD_MS } from '../../support/guard.ts';
import { MemoryTable } from '../../support/memory-table.ts';
import { tablesForEachTest } from '../../support/tables.ts';

/** Both kinds of table do the same. */

tablesForEachTest();

describe.each<[string, () => SeriesTable]>([
  ['DynamoDB', () => new DynamoTable(dynamoDB(GUARD_MS), 'ledger', LEDGER)],
  ['memory', () => new MemoryTable(LEDGER)],
])('a table in %s', (_, open) => {
  let table: SeriesTable;
  beforeEach(() => {
    table = open();
  });

  const row = (position: string, subject = 'a', value: Row['value'] = 1): Row => ({ subject, position, value });
  const positions = (rows: readonly Row[]) => rows.map(({ position }) => position);

  test('gives back what was written, whatever its kind', async () => {
    const values = { text: 'ä', number: -7, large: 2n ** 70n, names: new Set(['x']) };
    // The last integer that is a number, and the first that is not.
    const numbers = { half: 0.5, last: Number.MAX_SAFE_INTEGER, next: 2n ** 53n, none: 0, empty: '' };
    const whole: Row = { ...row('1'), ...values, ...numbers, list: [1, 'b', [2]], by: { name: { of: '3' } } };
    await table.putAll([{ ...whole, missing: undefined }]);
    expect(await table.get('a', '1')).toEqual(whole);
    expect(await table.get('a', '2')).toBeUndefined();
    expect(await table.get('b', '1')).toBeUndefined();
  });

  test('has the rows of a range in order, from either end, up to a limit', async () => {
    await table.putAll([row('3'), row('1'), row('5'), row('2'), row('2', 'b')]);
    const range = async (...range: [string, string, object?]) => positions(await table.range('a', ...range));
    expect(await range('0', '9')).toEqual(['1', '2', '3', '5']);
    expect(await range('2', '3')).toEqual(['2', '3']);
    expect(await range('15', '4', { reverse: true })).toEqual(['3', '2']);
    expect(await range('0', '9', { limit: 2 })).toEqual(['1', '2']);
    expect(await range('0', '9', { limit: 3, reverse: true })).toEqual(['5', '3', '2']);
    expect(await range('0', '9', { positionsOnly: true, limit: 1 })).toEqual(['1']);
    for (const [from = '', to = ''] of ['6 9', '0 00', '4 3', '3 1'].map((text) => text.split(' ')))
      expect(await range(from, to, { reverse: from === '3' })).toEqual([]);
    expect(await table.range('c', '0', '9')).toEqual([]);
  });

  test('replaces rows with putAll, and keeps them with putIfAbsent', async () => {
    expect(await table.putIfAbsent(row('1'))).toBe(true);
    expect(await table.putIfAbsent(row('1', 'a', 2))).toBe(false);
    expect(await table.range('a', '0', '9')).toEqual([row('1')]);
    await table.putAll([row('1', 'a', 3)]);
    expect(await table.range('a', '0', '9')).toEqual([row('1', 'a', 3)]);
  });

  test('changes some attributes of a row, or none of them', async () => {
    expect(await table.update('a', '1', (known) => ({ known: JSON.stringify(known), x: 1, list: [1] }))).toBe(true);
    expect(await table.get('a', '1')).toEqual({ subject: 'a', position: '1', known: '{}', x: 1, list: [1] });
    expect(await table.update('a', '1', ({ x }) => (x === 1 ? undefined : { x: 2 }))).toBe(false);
    expect(await table.update('a', '1', () => ({ known: undefined, none: undefined, list: [2] }))).toBe(true);
    expect(await table.get('a', '1')).toEqual({ subject: 'a', position: '1', x: 1, list: [2] });
    expect(await table.update('b', '1', () => ({ none: undefined }))).toBe(true);
    for (const list of [[1], [1, 2]]) expect(await table.update('c', '1', () => ({ list }))).toBe(true);
    expect(await table.get('c', '1')).toEqual({ subject: 'c', position: '1', list: [1, 2] });
  });

  test('loses no change of many at once', async () => {
    const add = (name: string) =>
      table.update('a', '1', ({ sum = 0, names = new Set() }) => ({
        sum: BigInt(sum as number) + 2n ** 60n,
        names: new Set([...(names as Set<string>), name]),
      }));
    await Promise.all(['p', 'q', 'r', 's', 't'].map(add));
    expect(await table.get('a', '1')).toMatchObject({ sum: 5n * 2n ** 60n, names: new Set(['p', 'q', 'r', 's', 't']) });
  });
});

test('rows are stored with the attributes that DynamoDB has for their values', () => {
  const row = { text: 'ä', number: -7, large: 2n ** 70n, names: new Set(['x']) };
  expect(marshall({ ...row, list: [1], by: { name: '3' }, missing: undefined })).toEqual({
    ...{ text: { S: 'ä' }, number: { N: '-7' }, large: { N: '1180591620717411303424' } },
    ...{ names: { SS: ['x'] }, list: { L: [{ N: '1' }] }, by: { M: { name: { S: '3' } } } },
  });
});

test('DynamoDB is asked for more until a range is whole or has its limit', async () => {
  const table = new DynamoTable(dynamoDB(GUARD_MS), 'ledger', LEDGER);
  const large = 'x'.repeat(390_000);
  await Promise.all([...'123456'].map((position) => table.putIfAbsent({ subject: 'a', position, large })));
  expect(await table.range('a', '0', '9')).toHaveLength(6);
  const last = await table.range('a', '0', '9', { limit: 5, reverse: true });
  expect(last.map(({ position }) => position).join('')).toBe('65432');
  // Without the other fields of the rows, if only positions are requested.
  const positions = [{ position: '1' }, { position: '2' }];
  expect(await table.range('a', '0', '9', { positionsOnly: true, limit: 2 })).toEqual(positions);
});

test.each([
  { form: LEDGER, keys: ['subject', 'position'] },
  { form: HISTORY, keys: ['series', 'timestamp'] },
])('$form.what is read by its keys, consistently only if a replica must not lag', async ({ form, keys }) => {
  const asked: object[] = [];
  const client = { send: async ({ input }: { input: object }) => asked.push(input) && {} } as unknown as DynamoDBClient;
  const table = new DynamoTable(client, 'any', form);
  await table.get('a', 1);
  await table.range('a', 1, 2);
  // Updates always read consistently, because an update of a stale row would be refused.
  await table.update('a', 1, () => undefined);
  const { isConsistent: ConsistentRead } = form;
  expect(asked).toMatchObject([{ ConsistentRead }, { ConsistentRead }, { ConsistentRead: true }]);
  expect(ConsistentRead).toBe(form === LEDGER);
  expect(Object.keys((asked[0] as { Key: object }).Key)).toEqual(keys);
});

test('a read that fails says which table is not there, and a write fails as the table does', async () => {
  const cause = new Error('of the table');
  const client = { send: () => Promise.reject(cause) } as unknown as DynamoDBClient;
  const table = new DynamoTable(client, 'any', LEDGER);
  const reads = [table.get('a', '1'), table.range('a', '0', '9'), table.update('a', '1', () => ({}))];
  const key = { subject: 'a', position: '1' };
  const writes = [table.putIfAbsent(key), table.putAll([key])];
  const failures = await Promise.allSettled([...reads, ...writes]);
  const message = 'The ledger could not be read. Please try again shortly.';
  const unavailable = { reason: { code: 'UPSTREAM_UNAVAILABLE', message, cause } };
  expect(failures).toMatchObject([...reads.map(() => unavailable), ...writes.map(() => ({ reason: cause }))]);
});

test('a row that changes all the time is an error, not an update without end', async () => {
  const sent: object[] = [];
  const refused = new ConditionalCheckFailedException({ $metadata: {}, message: 'changed' });
  const send = async (command: object) => {
    if (!(command instanceof PutItemCommand)) return {};
    sent.push(command);
    throw refused;
  };
  const table = new DynamoTable({ send } as unknown as DynamoDBClient, 'any', LEDGER);
  const changed = table.update('a', '1', () => ({ x: 1 }));
  await expect(changed).rejects.toThrow('a row of the table any changes all the time: a 1');
  expect(sent).toHaveLength(50);
});
