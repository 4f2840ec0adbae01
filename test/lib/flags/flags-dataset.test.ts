import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { withDatasets } from '../../../lib/cache/cache.ts';
import { DEFAULT_FLAGS, FLAG_KEY, parseFlags } from '../../../lib/flags/flags.ts';
import { flagsDataset } from '../../../lib/flags/flags-dataset.ts';
import { startContainer } from '../../support/runtime.ts';
import { deadUrl } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** The dataset behind `/flags`, with a table. */

const tables = tablesForAllTests();

const container = (env: Record<string, string> = {}) => startContainer({ NETWORK: 'devnet', ...env });
const warning = expect.objectContaining({
  level: 'warn',
  message: 'flags are not available, keeping the last good ones',
  fields: { error: expect.any(Error) },
});
const STORED = {
  version: 1,
  updatedAt: 1_795_270_400,
  flags: { windDown: { enabled: false }, limit: { enabled: true, most: 5 } },
};

test('before any has been set, the flags are the defaults, and the environment is the stage or the network', async () => {
  const { opened, telemetry } = container();
  expect(await flagsDataset.read(withDatasets(opened, []))).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
  const { opened: deployed } = container({ STAGE: 'prod' });
  expect((await flagsDataset.read(withDatasets(deployed, []))).environment).toBe('prod');
  expect(DEFAULT_FLAGS).toMatchObject({
    version: 'default',
    flags: { windDown: { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' } },
  });
  expect(telemetry.lines).toEqual([]);
});

test('what has been set comes before the defaults, each flag whole, for its network only', async () => {
  await container().opened.flags.write(STORED);
  const flags = { ...DEFAULT_FLAGS.flags, ...STORED.flags };
  const expected = { environment: 'devnet', version: '1', updatedAt: STORED.updatedAt, flags };
  expect(await flagsDataset.read(withDatasets(container().opened, []))).toEqual(expected);
  const other = await flagsDataset.read(withDatasets(container({ NETWORK: 'fuji' }).opened, []));
  expect(other).toEqual({ environment: 'fuji', ...DEFAULT_FLAGS });
});

test('of two who set flags at the same time, one is told so', async () => {
  const store = container().opened.flags;
  expect(await store.write({ ...STORED, version: 2 })).toBe(true);
  expect(await store.write({ ...STORED, version: 2, flags: {} })).toBe(false);
  expect(await store.read()).toEqual({ ...STORED, version: 2 });
});

test.each([
  ['{"withdrawQueue":', { N: '8' }],
  ['{"withdrawQueue":"on"}', { N: '8' }],
  ['', { N: '8' }],
  ['{}', { S: 'eight' }],
])(
  'if the item is broken (%j, version %j), the last good flags stay, and without any the defaults',
  async (text, version) => {
    const key = { series: { S: 'devnet#flags' }, timestamp: { N: '0' } };
    const Item = { ...key, version, updatedAt: { N: '5' }, flags: { S: text } };
    await tables.client.send(new PutItemCommand({ TableName: 'history', Item }));
    const { opened, telemetry } = container();
    const good = { environment: 'devnet', version: '7', updatedAt: 5, flags: { windDown: { enabled: false } } };
    expect(await flagsDataset.read(withDatasets(opened, []), good)).toEqual(good);
    expect(await flagsDataset.read(withDatasets(opened, []))).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
    expect(telemetry.lines).toEqual([warning, warning]);
  },
);

test('if the table does not answer, the last good flags stay', async () => {
  const before = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = await deadUrl();
  const { opened, telemetry } = container();
  const good = { environment: 'devnet', version: '7', updatedAt: 5, flags: {} };
  expect(await flagsDataset.read(withDatasets(opened, []), good)).toEqual(good);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = before;
  expect(telemetry.lines).toEqual([warning]);
});

test.each<[text: string, isDocument: boolean]>([
  ['{}', true],
  ['{"a":{"enabled":true,"s":"x","n":1.5,"b":false,"strings":["x"],"numbers":[1]}}', true],
  [`{"${'a'.repeat(64)}":{"enabled":true}}`, true],
  [`{"${'a'.repeat(65)}":{"enabled":true}}`, false],
  ['{"1a":{"enabled":true}}', false],
  ['{"a":{}}', false],
  ['{"a":{"enabled":"yes"}}', false],
  ['{"a":{"enabled":true,"o":{}}}', false],
  ['{"a":{"enabled":true,"mixed":[1,"x"]}}', false],
  ['{"a":{"enabled":true,"none":null}}', false],
  ['null', false],
])('%s is a document of flags: %s', (text, isDocument) => {
  if (isDocument) expect(parseFlags(text)).toEqual(JSON.parse(text));
  else expect(() => parseFlags(text)).toThrow();
});

test('a key begins with a lower-case letter', () => {
  for (const key of ['a', 'aB', 'a_b', 'a-b', 'a1', 'z'.repeat(64)]) expect(key).toMatch(FLAG_KEY);
  for (const key of ['', 'A', '_a', '-a', 'a.b', 'ä', 'a\n', 'z'.repeat(65)]) expect(key).not.toMatch(FLAG_KEY);
});
