import { DynamoDBClient, type DynamoDBClientConfig, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Cache } from '../../../lib/cache/cache.ts';
import type { CacheEntry } from '../../../lib/cache/cache-entry.ts';
import type { TableStore } from '../../../lib/cache/table.ts';
import { encode } from '../../../lib/values/encoding.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { startContainer } from '../../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { type RecordingTelemetry, recordingTelemetry } from '../../support/telemetry.ts';
import { storeOf } from './fleet.ts';

/** The cache table alone, on a real engine, with a clock that tests move by hand. */

const LEASE_MS = 4_500;
const TIMEOUT_MS = 150;
const HOUR = 3_600_000;

const keep = stoppedAfterEach();

const tables = tablesForAllTests();
let clock: TestClock;
let telemetry: RecordingTelemetry;
let store: TableStore;
let key: string;
let keys = 0;

beforeEach(() => {
  clock = testClock();
  telemetry = recordingTelemetry();
  store = storeOf(tables.client, telemetry, clock);
  key = `table-${++keys}`;
});

/** The table through another client. */
const through = (client: DynamoDBClient, by = clock) => storeOf(client, telemetry, by, TIMEOUT_MS);

/** Another client, closed after the test. */
function clientOf(config: DynamoDBClientConfig): DynamoDBClient {
  const other = new DynamoDBClient(config);
  keep({ stop: async () => other.destroy() });
  return other;
}

async function itemOf(pk: string) {
  return (await tables.client.send(new GetItemCommand({ TableName: 'cache', Key: { pk: { S: pk } } }))).Item;
}

test('a release reads what it has written, and nothing of another one', async () => {
  const readBy = async (RELEASE: string) => {
    const { opened } = startContainer({ NETWORK: 'devnet', RELEASE });
    return (await opened.cache.value('written', { freshSeconds: 60, shared: true }, async () => RELEASE)).state;
  };
  expect([await readBy('a'), await readBy('a'), await readBy('b')]).toEqual(['miss', 'hit', 'miss']);
});

const entryOf = (body: string, overrides: Partial<CacheEntry> = {}): CacheEntry => ({
  ...encode(body, 'application/json'),
  storedAt: clock.now(),
  freshUntil: clock.now() + 10_000,
  staleUntil: clock.now() + 24 * HOUR,
  maxAge: 10,
  ...overrides,
});

describe('an entry', () => {
  test.each<[string, Partial<CacheEntry>]>([
    ['with a block', { block: { number: 7, timestamp: 1_790_000_000 } }],
    ['without a block', {}],
    ['that means "not found"', { notFound: 'MINIPOOL_NOT_FOUND' }],
  ])('%s is read back unchanged', async (_, overrides) => {
    const entry = entryOf('{"a":1}', overrides);
    await store.write(key, entry);
    expect(await store.read(key)).toEqual({ ...entry, body: expect.any(Uint8Array) });
  });

  test('has times in milliseconds, and a TTL in seconds that does not cut its staleness short', async () => {
    const entry = entryOf('{}', { staleUntil: 1_790_086_400_001 });
    await store.write(key, entry);
    expect(await itemOf(key)).toMatchObject({
      storedAt: { N: String(entry.storedAt) },
      freshUntil: { N: String(entry.freshUntil) },
      expiresAt: { N: '1790086401' },
    });
  });

  test('ends the lease of its key', async () => {
    await store.lease(key, undefined, LEASE_MS);
    await store.write(key, entryOf('{}'));
    const item = await itemOf(key);
    expect(item).not.toHaveProperty('leaseUntil');
    expect(item).not.toHaveProperty('leaseToken');
  });
});

test('a damaged entry is a miss, and does not pause the table', async () => {
  const Item = { pk: { S: `damaged#${key}` }, body: { B: Buffer.from('{') }, staleUntil: { S: '{' }, gzip: { S: '' } };
  await tables.client.send(new PutItemCommand({ TableName: 'cache', Item }));
  const load = async () => ({ body: 'new', contentType: 'text/plain' });
  const cache = new Cache('damaged', store, telemetry, clock);
  expect((await cache.get(key, { freshSeconds: 10, shared: true }, load)).state).toBe('miss');
  expect(telemetry).toMatchObject({ lines: [], counts: [] });
});

describe('a lease', () => {
  test('is granted once, for its time and not a millisecond longer', async () => {
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
    expect(await store.lease(key, undefined, LEASE_MS)).toBeUndefined();
    clock.skip(LEASE_MS);
    expect(await store.lease(key, undefined, LEASE_MS)).toBeUndefined();
    clock.skip(1);
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
  });

  test('of a missing entry is an item with a TTL in seconds, which does not read as an entry', async () => {
    const token = await store.lease(key, undefined, LEASE_MS);
    expect(await itemOf(key)).toEqual({
      pk: { S: key },
      leaseUntil: { N: String(clock.now() + LEASE_MS) },
      leaseToken: { S: token },
      expiresAt: { N: String(Math.ceil((clock.now() + LEASE_MS) / 1_000)) },
    });
    expect(await store.read(key)).toBeUndefined();
    expect(telemetry.lines).toEqual([]);
  });

  test('that the entry read names as held is not asked for until it expires', async () => {
    await store.write(key, entryOf('{}', { freshUntil: clock.now() - 1 }));
    await store.lease(key, await store.read(key), LEASE_MS);
    const seen = (await store.read(key)) as CacheEntry;
    expect(seen.leaseUntil).toBe(clock.now() + LEASE_MS);
    // For as long as it may be served.
    expect((await itemOf(key))?.expiresAt).toEqual({ N: String(Math.ceil(seen.staleUntil / 1_000)) });
    const elsewhere = through(clientOf({ endpoint: 'http://127.0.0.1:1' }));
    expect(await elsewhere.lease(key, seen, LEASE_MS)).toBeUndefined();
    clock.skip(LEASE_MS - 1);
    expect(await elsewhere.lease(key, seen, LEASE_MS)).toBeUndefined();
    expect(telemetry.counts).toEqual([]);
    clock.skip(2);
    expect(await store.lease(key, seen, LEASE_MS)).toEqual(expect.any(String));
  });

  test('of a container whose clock is ahead is ignored', async () => {
    const ahead = testClock(clock.now() + 1);
    await through(tables.client, ahead).lease(key, undefined, LEASE_MS);
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
    const seen = entryOf('{}', { freshUntil: clock.now(), leaseUntil: clock.now() + LEASE_MS + 1 });
    await store.write(key, seen);
    expect(await store.lease(key, seen, LEASE_MS)).toEqual(expect.any(String));
    await store.write(key, entryOf('{}', { storedAt: clock.now() + 1 }));
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
  });

  test('is held by a container that tries again because the response to its attempt got lost', async () => {
    const send = (command: GetItemCommand) => tables.client.send(command).then(() => tables.client.send(command));
    const twice = through({ send } as unknown as DynamoDBClient);
    expect(await twice.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
  });

  test('is refused if the entry has been refreshed since it was read, or there is a fresh one', async () => {
    await store.write(key, entryOf('{}', { freshUntil: clock.now() - 1 }));
    const seen = await store.read(key);
    await store.write(key, entryOf('{}', { freshUntil: clock.now() + 1 }));
    for (const read of [seen, undefined]) expect(await store.lease(key, read, LEASE_MS)).toBeUndefined();
    clock.skip(1);
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
  });

  test('can be released only by its owner', async () => {
    const token = (await store.lease(key, undefined, LEASE_MS)) as string;
    await store.release(key, 'of another');
    expect(await store.lease(key, undefined, LEASE_MS)).toBeUndefined();
    await store.release(key, token);
    expect(await itemOf(key)).toEqual({ pk: { S: key }, expiresAt: expect.anything() });
    const next = await store.lease(key, undefined, LEASE_MS);
    expect(next).toEqual(expect.any(String));
    expect(next).not.toBe(token);
    expect(telemetry.lines).toEqual([]);
  });
});

test('a key that is too long is never stored, without a warning', async () => {
  const long = `ä${'x'.repeat(2_047)}`;
  await store.write(long, entryOf('{}'));
  expect(await store.read(long)).toBeUndefined();
  for (const _ of [1, 2]) expect(await store.lease(long, undefined, LEASE_MS)).toEqual(expect.any(String));
  await store.release(long, 'token');
  expect(telemetry).toMatchObject({ lines: [], counts: [] });
  expect(await itemOf(long)).toBeUndefined();
});

describe('a table that fails', () => {
  let asked = 0;
  const failing = async () => {
    asked = 0;
    const server = keep(
      await startServer((_, response) => {
        asked++;
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
        response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"no table"}');
      }),
    );
    return through(clientOf({ endpoint: server.url }));
  };

  test('is not asked again for 5 s, with one warning, while each container refreshes for itself', async () => {
    const broken = await failing();
    expect(await broken.read(key)).toBeUndefined();
    clock.skip(4_999);
    expect(await broken.read(key)).toBeUndefined();
    expect(await broken.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
    await broken.write(key, entryOf('{}'));
    await broken.release(key, 'token');
    expect(asked).toBe(1);
    expect(telemetry.counts).toEqual(['TableError']);
    expect(telemetry.lines).toEqual([
      expect.objectContaining({ level: 'warn', message: 'cache table failed', fields: expect.anything() }),
    ]);
    clock.skip(1);
    await broken.read(key);
    expect(asked).toBe(2);
  });

  test.each<[string, (broken: TableStore) => Promise<unknown>]>([
    ['read', (broken) => broken.read(key)],
    ['write', (broken) => broken.write(key, entryOf('{}'))],
    ['lease', (broken) => broken.lease(key, undefined, LEASE_MS)],
    ['release', (broken) => broken.release(key, 'token')],
  ])('is logged with the operation that failed: %s', async (operation, attempt) => {
    await attempt(await failing());
    expect(telemetry.lines[0]?.fields).toMatchObject({ operation, error: { name: 'ResourceNotFoundException' } });
  });
});

test.each([
  [0, 150],
  [1, 151],
  [501, 152],
  [390_000, 930],
])('a write of %d bytes may take 150 ms and one more for each 500 bytes: %d', async (bytes, expected) => {
  const given: unknown[] = [];
  const recording = {
    send: async (_: unknown, { requestTimeout }: { requestTimeout: number }) => given.push(requestTimeout),
  };
  await through(recording as unknown as DynamoDBClient).write(key, entryOf('', { body: Buffer.alloc(bytes) }));
  expect(given).toEqual([expected]);
});

test('a body of 390,000 bytes is stored, and one byte more is not', async () => {
  const ofBytes = (bytes: number) => entryOf('', { body: Buffer.alloc(bytes, 'x') });
  await store.write(key, ofBytes(390_000));
  clock.skip(1);
  await store.write(key, ofBytes(390_001));
  expect((await itemOf(key))?.storedAt).toEqual({ N: String(clock.now() - 1) });
  const message = 'body too large for the cache table, kept in memory only';
  expect(telemetry.lines).toEqual([{ level: 'warn', message, fields: { key, bytes: 390_001 } }]);
});
