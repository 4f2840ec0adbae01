import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CacheEntry } from '../../../lib/cache/cache-entry.ts';
import { TableStore } from '../../../lib/cache/table.ts';
import { decode, encode } from '../../../lib/values/encoding.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { GUARD_MS } from '../../support/guard.ts';
import { startContainer } from '../../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { type RecordingTelemetry, recordingTelemetry } from '../../support/telemetry.ts';

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
  store = new TableStore(tables.client, 'cache', telemetry, clock, GUARD_MS);
  key = `table-${++keys}`;
});

/** The table through another client. */
const storeOf = (client: DynamoDBClient, by = clock) => new TableStore(client, 'cache', telemetry, by, TIMEOUT_MS);

/** Another client, closed after the test. */
function clientOf(config: DynamoDBClientConfig): DynamoDBClient {
  const other = new DynamoDBClient(config);
  keep({ stop: async () => other.destroy() });
  return other;
}

async function itemOf(pk: string) {
  return (await tables.client.send(new GetItemCommand({ TableName: 'cache', Key: { pk: { S: pk } } }))).Item;
}

const put = (Item: Record<string, AttributeValue>) =>
  tables.client.send(new PutItemCommand({ TableName: 'cache', Item }));

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

/** Characters that gzip hardly compresses: `length` of them take more than 0.75 × `length` bytes. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);

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

  test('that was never written is a miss without a warning', async () => {
    expect(await store.read(key)).toBeUndefined();
    expect(telemetry).toMatchObject({ lines: [], counts: [] });
  });

  test.each(['-1', '6', '4294967296'])('that claims %s further parts is read from its first part', async (parts) => {
    const entry = entryOf('{}');
    await store.write(key, entry);
    await put({ ...(await itemOf(key)), rest: { N: parts } });
    expect(await store.read(key)).toEqual({ ...entry, body: expect.any(Uint8Array) });
    expect(telemetry.lines).toEqual([]);
  });

  test('has times in milliseconds, and a TTL in seconds that does not cut its staleness short', async () => {
    const entry = entryOf('{}', { staleUntil: 1_790_086_400_001 });
    await store.write(key, entry);
    expect(await itemOf(key)).toMatchObject({
      storedAt: { N: String(entry.storedAt) },
      freshUntil: { N: String(entry.freshUntil) },
      staleUntil: { N: '1790086400001' },
      expiresAt: { N: '1790086401' },
      maxAge: { N: '10' },
    });
  });

  test('replaces one that is older or as old, but not one that is newer', async () => {
    await store.write(key, entryOf('"first"'));
    await store.write(key, entryOf('"as old"'));
    expect(Buffer.from((await store.read(key))?.body ?? []).toString()).toBe('"as old"');
    await store.write(key, entryOf('"older"', { storedAt: clock.now() - 1 }));
    expect(Buffer.from((await store.read(key))?.body ?? []).toString()).toBe('"as old"');
    await store.write(key, entryOf('"younger"', { storedAt: clock.now() + 1 }));
    expect(Buffer.from((await store.read(key))?.body ?? []).toString()).toBe('"younger"');
    expect(telemetry.lines).toEqual([]);
  });

  test('ends the lease of its key', async () => {
    await store.lease(key, undefined, LEASE_MS);
    await store.write(key, entryOf('{}'));
    const item = await itemOf(key);
    expect(item).not.toHaveProperty('leaseUntil');
    expect(item).not.toHaveProperty('leaseToken');
  });

  test.each<[string, Record<string, AttributeValue | undefined>]>([
    ...['gzip', 'contentType', 'etag', 'storedAt', 'freshUntil', 'staleUntil', 'maxAge'].map(
      (name) => [`no ${name}`, { [name]: undefined }] as [string, Record<string, undefined>],
    ),
    ['an unknown error code', { notFound: { S: 'NO_SUCH_CODE' } }],
    ['a time that is not a number', { maxAge: { S: 'soon' } }],
    ['a time with a fraction', { freshUntil: { N: '1.5' } }],
    ['a block without its time', { block: { N: '7' } }],
    ['a content type that is no text', { contentType: { NULL: true } }],
    ['a hash that is no text', { etag: { NULL: true } }],
    ['a hash that does not match', { etag: { S: 'other' } }],
    ['an uncompressed body marked as compressed', { gzip: { BOOL: true } }],
  ])('with %s is a miss, with a warning', async (_, broken) => {
    await store.write(key, entryOf('{}'));
    const item = { ...(await itemOf(key)), ...broken } as Record<string, AttributeValue>;
    await put(Object.fromEntries(Object.entries(item).filter(([, value]) => value)));
    expect(await store.read(key)).toBeUndefined();
    expect(telemetry.lines).toEqual([
      { level: 'warn', message: 'cache item is corrupt, treated as a miss', fields: { key } },
    ]);
  });
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

  test('does not change the TTL of an entry', async () => {
    const entry = entryOf('{}', { freshUntil: clock.now() - 1 });
    await store.write(key, entry);
    await store.lease(key, await store.read(key), LEASE_MS);
    expect((await itemOf(key))?.expiresAt).toEqual({ N: String(Math.ceil(entry.staleUntil / 1_000)) });
  });

  test('that the entry read names as held is not asked for until it expires', async () => {
    await store.write(key, entryOf('{}', { freshUntil: clock.now() - 1 }));
    await store.lease(key, await store.read(key), LEASE_MS);
    const seen = (await store.read(key)) as CacheEntry;
    expect(seen.leaseUntil).toBe(clock.now() + LEASE_MS);
    const elsewhere = storeOf(clientOf({ endpoint: 'http://127.0.0.1:1' }));
    expect(await elsewhere.lease(key, seen, LEASE_MS)).toBeUndefined();
    clock.skip(LEASE_MS);
    expect(await elsewhere.lease(key, seen, LEASE_MS)).toBeUndefined();
    expect(telemetry.counts).toEqual([]);
    clock.skip(1);
    expect(await store.lease(key, seen, LEASE_MS)).toEqual(expect.any(String));
  });

  test('of a container whose clock is ahead is ignored', async () => {
    const ahead = testClock(clock.now() + 1);
    await storeOf(tables.client, ahead).lease(key, undefined, LEASE_MS);
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
    const seen = entryOf('{}', { leaseUntil: clock.now() + LEASE_MS + 1 });
    await store.write(key, seen);
    expect(await store.lease(key, seen, LEASE_MS)).toEqual(expect.any(String));
  });

  test('is refused if the entry has been refreshed since it was read', async () => {
    await store.write(key, entryOf('{}', { freshUntil: clock.now() - 1 }));
    const seen = await store.read(key);
    await store.write(key, entryOf('{}', { storedAt: clock.now() + 1 }));
    expect(await store.lease(key, seen, LEASE_MS)).toBeUndefined();
  });

  test('is refused if nothing was read and there is a fresh entry by now', async () => {
    await store.write(key, entryOf('{}', { freshUntil: clock.now() }));
    expect(await store.lease(key, undefined, LEASE_MS)).toBeUndefined();
    clock.skip(1);
    expect(await store.lease(key, undefined, LEASE_MS)).toEqual(expect.any(String));
  });

  test('is granted if the response to the first attempt got lost', async () => {
    const client = clientOf({});
    let attempts = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        if (++attempts === 1) throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
        return result;
      },
      { step: 'deserialize' },
    );
    const token = (await storeOf(client).lease(key, undefined, LEASE_MS)) as string;
    expect(attempts).toBe(2);
    expect(await itemOf(key)).toMatchObject({ leaseToken: { S: token } });
    expect(await store.lease(key, undefined, LEASE_MS)).toBeUndefined();
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

  test('whose item has expired leaves no item when it is released', async () => {
    await store.release(key, 'of an expired item');
    expect(await itemOf(key)).toBeUndefined();
    expect(telemetry.lines).toEqual([]);
  });
});

describe('a key', () => {
  const ofBytes = (bytes: number) => `ä${'x'.repeat(bytes - 2)}`;

  test('of up to 2,048 bytes, with the suffix of a part, is stored', async () => {
    const entry = entryOf(noise(600_000));
    await store.write(ofBytes(2_023), entry);
    expect((await store.read(ofBytes(2_023)))?.maxAge).toBe(10);
    expect((await itemOf(`${ofBytes(2_023)}#${entry.etag}-1`))?.body).toBeDefined();
  });

  test('that is longer is never stored, without a warning', async () => {
    const long = ofBytes(2_024);
    await store.write(long, entryOf('{}'));
    expect(await store.read(long)).toBeUndefined();
    expect(await store.lease(long, undefined, LEASE_MS)).toEqual(expect.any(String));
    expect(await store.lease(long, undefined, LEASE_MS)).toEqual(expect.any(String));
    await store.release(long, 'token');
    expect(telemetry).toMatchObject({ lines: [], counts: [] });
    expect(await itemOf(long)).toBeUndefined();
  });
});

describe('a body', () => {
  const ofBytes = (bytes: number) => entryOf('', { ...encode('', 'text/plain'), body: Buffer.alloc(bytes, 'x') });
  const written = async (bytes: number) => {
    await store.write(key, ofBytes(bytes));
    return (await itemOf(key))?.rest?.N;
  };

  test('of 390,000 bytes is one item, and one byte more makes two', async () => {
    expect(await written(390_000)).toBe('0');
    clock.skip(1);
    expect(await written(390_001)).toBe('1');
    const item = await itemOf(key);
    const part = await itemOf(`${key}#${item?.etag?.S}-1`);
    expect(part?.body?.B).toHaveLength(1);
    expect(part?.expiresAt).toEqual(item?.expiresAt);
  });

  test('of several items stays intact when an older one is written after it', async () => {
    const [newer, older] = [noise(600_000), noise(600_000)];
    await store.write(key, entryOf(newer));
    await store.write(key, entryOf(older, { storedAt: clock.now() - 1 }));
    expect(decode((await store.read(key)) as CacheEntry).toString()).toBe(newer);
    expect(telemetry.lines).toEqual([]);
  });

  test.each([
    ['is missing', undefined],
    ['is damaged', Buffer.from('damaged')],
  ])('of which a part %s is a miss, with a warning, until it is written again', async (_, damaged) => {
    const entry = entryOf(noise(600_000));
    await store.write(key, entry);
    const pk = { S: `${key}#${entry.etag}-1` };
    await (damaged
      ? put({ pk, body: { B: damaged } })
      : tables.client.send(new DeleteItemCommand({ TableName: 'cache', Key: { pk } })));
    expect(await store.read(key)).toBeUndefined();
    expect(telemetry.lines).toMatchObject([{ message: 'cache item is corrupt, treated as a miss' }]);
    await store.write(key, entry);
    expect(decode((await store.read(key)) as CacheEntry)).toEqual(decode(entry));
  });

  test('of six items is stored, and one byte more is not', async () => {
    expect(await written(6 * 390_000)).toBe('5');
    clock.skip(1);
    await store.write(key, ofBytes(6 * 390_000 + 1));
    expect((await itemOf(key))?.storedAt).toEqual({ N: String(clock.now() - 1) });
    expect(telemetry.lines).toEqual([
      {
        level: 'warn',
        message: 'body too large for the cache table, kept in memory only',
        fields: { key, bytes: 2_340_001 },
      },
    ]);
  });
});

describe('several entries', () => {
  test('are read in one request, large ones with their other parts; what is no entry is left out', async () => {
    const [small, large, leased, corrupt] = [`${key}-1`, `${key}-2`, `${key}-3`, `${key}-4`];
    await store.write(small, entryOf('{}'));
    await store.write(large, entryOf(noise(900_000)));
    await store.lease(leased, undefined, LEASE_MS);
    await put({ pk: { S: corrupt }, body: { B: Buffer.from('{}') } });
    const send = jest.spyOn(tables.client, 'send');
    const found = await store.peek([small, large, leased, corrupt, `${key}-5`]);
    const sent = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    expect(sent).toEqual(['BatchGetItemCommand', 'GetItemCommand']);
    expect([...found.keys()].sort()).toEqual([small, large]);
    for (const [name, entry] of found) expect(entry).toEqual(await store.read(name));
    expect(telemetry.lines.map(({ fields }) => fields)).toEqual([{ key: corrupt }]);
  });

  test('of which the table leaves one unread are not known', async () => {
    const server = keep(
      await startServer((_, response) => {
        const Keys = [{ pk: { S: key } }];
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify({ Responses: { cache: [] }, UnprocessedKeys: { cache: { Keys } } }));
      }),
    );
    await expect(storeOf(clientOf({ endpoint: server.url })).peek([key])).rejects.toThrow('unread');
  });
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
    return storeOf(clientOf({ endpoint: server.url }));
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

  test('is still asked by who only peeks, which rejects and is not counted', async () => {
    const broken = await failing();
    await broken.read(key);
    await expect(broken.peek([key])).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(asked).toBe(2);
    expect(telemetry.lines).toHaveLength(1);
    const peeking = await failing();
    await peeking.peek([key]).catch(() => {});
    await peeking.read(key);
    expect(asked).toBe(2);
  });
});

describe('the timeout of a write', () => {
  test.each([
    [0, [150]],
    [1, [151]],
    [500, [151]],
    [501, [152]],
    [390_000, [930]],
    // Further parts are written before the first item.
    [390_001, [151, 930]],
  ])('is 150 ms and one more for each 500 bytes of an item: for %d bytes %j', async (bytes, expected) => {
    const given: unknown[] = [];
    const recording = {
      send: async (_: unknown, { requestTimeout }: { requestTimeout: number }) => given.push(requestTimeout),
    };
    await storeOf(recording as unknown as DynamoDBClient).write(key, entryOf('', { body: Buffer.alloc(bytes) }));
    expect(given).toEqual(expected);
  });

  /** A table that answers after `ms`, for a client with its own request timeout. */
  const slow = async (ms: number, requestTimeout: number) => {
    const server = keep(
      await startServer(async (_, response) => {
        await wait(ms);
        response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
      }),
    );
    const requestHandler = { requestTimeout, throwOnRequestTimeout: true };
    return storeOf(clientOf({ endpoint: server.url, maxAttempts: 1, requestHandler }));
  };

  test("replaces the client's own", async () => {
    await (await slow(50, 10)).write(key, entryOf('', { body: Buffer.alloc(390_000, 'x') }));
    expect(telemetry.lines).toEqual([]);
  });

  test('is short for a small entry', async () => {
    await (await slow(600, 10_000)).write(key, entryOf('{}'));
    expect(telemetry.lines[0]?.fields).toMatchObject({ operation: 'write', error: { name: 'TimeoutError' } });
  });
});
