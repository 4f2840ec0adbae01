import { randomBytes } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Cache } from '../../../lib/cache/cache.ts';
import type { Cached, Loaded } from '../../../lib/cache/cache-entry.ts';
import { LEASE_MS } from '../../../lib/cache/cache-entry.ts';
import { TableStore } from '../../../lib/cache/table.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { decode } from '../../../lib/values/encoding.ts';
import { GUARD_MS, tablesForAllTests } from '../../support/tables.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** Several containers on a real table engine. What happens when, to the millisecond, is for the other files of this folder. */

const SHARED = { freshSeconds: 10, inTable: true };
const HOUR = 3_600_000;
/** The clock stands still, so that no assertion depends on how fast this machine is. */
const NOW = Date.now();

const tables = tablesForAllTests();
let key: string;
let keys = 0;

beforeEach(() => {
  key = `key-${++keys}`;
});

/**
 * A container with its own memory and clock, and the shared table. `patience` multiplies how long it waits for another
 * container's entry.
 */
function container({ clockOffsetMs = 0, patience = 1 } = {}) {
  const telemetry = recordingTelemetry();
  const clock = { offset: clockOffsetMs };
  const own = { now: () => NOW + clock.offset, wait: (ms: number) => systemClock.wait(ms * patience) };
  const cache = new Cache('test', new TableStore(tables.client, 'cache', telemetry, own, GUARD_MS), telemetry, own);
  return { cache, telemetry, clock };
}

/** A source that counts its reads, and can be broken or slow: it answers nothing before `isDone`. */
function source(isDone = () => true) {
  const state = { reads: 0, broken: false };
  const load = async (): Promise<Loaded> => {
    const read = ++state.reads;
    while (!isDone()) await systemClock.wait(10);
    if (state.broken) throw new ApiError('UPSTREAM_UNAVAILABLE', 'down');
    return { body: `{"read":${read}}`, contentType: 'application/json' };
  };
  return Object.assign(state, { load });
}

const bodyOf = ({ entry }: Cached) => JSON.parse(decode(entry).toString());

async function item(name = key) {
  const { Item } = await tables.client.send(
    new GetItemCommand({ TableName: 'cache', Key: { pk: { S: `2#test#${name}` } } }),
  );
  return Item;
}

describe('a fresh entry', () => {
  test('is read from the source once, then served from memory, and to other containers from the table', async () => {
    const [first, second] = [container(), container()];
    const origin = source();
    expect((await first.cache.get(key, SHARED, origin.load)).state).toBe('miss');
    expect((await first.cache.get(key, SHARED, origin.load)).state).toBe('hit');
    const elsewhere = await second.cache.get(key, SHARED, origin.load);
    expect(elsewhere.state).toBe('hit');
    expect(bodyOf(elsewhere)).toEqual({ read: 1 });
    expect(origin.reads).toBe(1);
  });

  test('is stored with times in milliseconds and a TTL in seconds, its freshness shortened by at most 10 %', async () => {
    await container().cache.get(key, SHARED, source().load);
    const stored = await item();
    const freshUntil = Number(stored?.freshUntil?.N);
    expect(freshUntil).toBeGreaterThanOrEqual(NOW + 9_000);
    expect(freshUntil).toBeLessThanOrEqual(NOW + 10_000);
    expect(Number(stored?.staleUntil?.N)).toBeGreaterThanOrEqual(NOW + 24 * HOUR);
    const ttl = Number(stored?.expiresAt?.N);
    expect(ttl).toBe(Math.ceil(Number(stored?.staleUntil?.N) / 1_000));
    expect(stored?.leaseUntil).toBeUndefined();
  });

  test('is read from the source once for concurrent requests to a container', async () => {
    const { cache } = container();
    const origin = source();
    await Promise.all(Array.from({ length: 20 }, () => cache.get(key, SHARED, origin.load)));
    expect(origin.reads).toBe(1);
  });
});

describe('a stale entry', () => {
  test('is refreshed by one container and served by the others meanwhile', async () => {
    const fleet = Array.from({ length: 8 }, () => container());
    await fleet[0]?.cache.get(key, SHARED, source().load);
    for (const { clock } of fleet) clock.offset = 11_000;
    const lost = () => fleet.flatMap(({ telemetry }) => telemetry.counts).filter((name) => name === 'LeaseLost');
    const origin = source(() => lost().length === 7);
    const results = await Promise.all(fleet.map(({ cache }) => cache.get(key, SHARED, origin.load)));
    expect(origin.reads).toBe(1);
    expect(results.map(({ state }) => state).sort()).toEqual(['miss', ...Array(7).fill('stale')]);
  });

  test('is served while its source is down, and the source is asked once per lease', async () => {
    const { cache, clock } = container();
    const origin = source();
    await cache.get(key, SHARED, origin.load);
    origin.broken = true;
    clock.offset = 20 * HOUR;
    for (let request = 0; request < 5; request++) {
      const cached = await cache.get(key, SHARED, origin.load);
      expect(cached.state).toBe('stale');
      expect(bodyOf(cached)).toEqual({ read: 1 });
    }
    expect(origin.reads).toBe(2);
    clock.offset += LEASE_MS + 1;
    await cache.get(key, SHARED, origin.load);
    expect(origin.reads).toBe(3);
  });

  test('is not served after 24 hours', async () => {
    const { cache, clock } = container();
    const origin = source();
    await cache.get(key, SHARED, origin.load);
    origin.broken = true;
    clock.offset = 24 * HOUR + 11_000;
    await expect(cache.get(key, SHARED, origin.load)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});

describe('a missing entry', () => {
  test('is read from the source once when 20 containers miss it at the same time', async () => {
    const origin = source();
    const load = () => systemClock.wait(150).then(origin.load);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => container({ patience: 10 }).cache.get(key, SHARED, load)),
    );
    expect(origin.reads).toBe(1);
    expect(results.every((cached) => bodyOf(cached).read === 1)).toBe(true);
  });

  test('is read by each container itself if the lease holder takes too long', async () => {
    const origin = source(() => origin.reads === 2);
    const fleet = [container(), container()];
    const results = await Promise.all(fleet.map(({ cache }) => cache.get(key, SHARED, origin.load)));
    expect(results.map(({ state }) => state)).toEqual(['miss', 'miss']);
  });

  test('is read by another container if the lease holder has died', async () => {
    // The holder took the lease, and never writes an entry.
    await tables.client.send(
      new UpdateItemCommand({
        TableName: 'cache',
        Key: { pk: { S: `2#test#${key}` } },
        UpdateExpression: 'SET leaseUntil = :until',
        ExpressionAttributeValues: { ':until': { N: String(NOW + LEASE_MS) } },
      }),
    );
    const origin = source();
    const cached = await container().cache.get(key, SHARED, origin.load);
    expect(cached.state).toBe('miss');
  });

  test('stays missing if the source fails, and the next request reads it again', async () => {
    const { cache } = container();
    const origin = source();
    origin.broken = true;
    await expect(cache.get(key, SHARED, origin.load)).rejects.toThrow('down');
    expect((await item())?.body).toBeUndefined();
    origin.broken = false;
    expect((await cache.get(key, SHARED, origin.load)).state).toBe('miss');
  });
});

describe('"no such entity"', () => {
  test('is cached for 15 seconds, for other containers too', async () => {
    const [first, second] = [container(), container()];
    let reads = 0;
    const load = async () => {
      reads++;
      throw new ApiError('MINIPOOL_NOT_FOUND', 'No minipool has this node.');
    };
    for (const { cache } of [first, first, second]) {
      await expect(cache.get(key, SHARED, load)).rejects.toMatchObject({
        code: 'MINIPOOL_NOT_FOUND',
        message: 'No minipool has this node.',
      });
    }
    expect(reads).toBe(1);
    first.clock.offset = 15_001;
    await expect(first.cache.get(key, SHARED, load)).rejects.toThrow();
    expect(reads).toBe(2);
  });
});

describe('a container whose clock is 5 minutes', () => {
  test.each([
    ['ahead', 300_000],
    ['behind', -300_000],
  ])('%s serves nothing more than 5 minutes too old, and does not flood the source', async (_, clockOffsetMs) => {
    const [right, wrong] = [container(), container({ clockOffsetMs })];
    const origin = source();
    const readAt = new Map<number, number>();
    const load = async () => {
      const loaded = await origin.load();
      readAt.set(origin.reads, NOW + right.clock.offset);
      return loaded;
    };
    let worst = 0;
    // Two containers, each asked once a second for ten minutes.
    for (let second = 0; second < 600; second++) {
      right.clock.offset = second * 1_000;
      wrong.clock.offset = second * 1_000 + clockOffsetMs;
      for (const { cache } of [right, wrong]) {
        const { read } = bodyOf(await cache.get(key, SHARED, load));
        worst = Math.max(worst, NOW + right.clock.offset - (readAt.get(read) ?? 0));
      }
    }
    expect(worst).toBeLessThanOrEqual(300_000 + 11_000);
    // One refresh per container and freshness period would be 2 × 600 s / 9 s.
    expect(origin.reads).toBeLessThanOrEqual(140);
  });
});

describe('bodies made from shared values', () => {
  test('are as old as the value, expire with it, and need not be stored in the table', async () => {
    const { cache, clock } = container();
    const value = await cache.value(`${key}/data`, { freshSeconds: 10 }, async () => ({ amount: 10n ** 30n }));
    expect(value.value).toEqual({ amount: 10n ** 30n });
    clock.offset = 5_000;
    const sources = [await cache.value(`${key}/data`, { freshSeconds: 10 }, async () => ({ amount: 0n }))];
    const load = async () => ({ body: '{}', contentType: 'application/json', sources });
    const made = await cache.get(key, { freshSeconds: 60, inTable: false }, load);
    expect(made.state).toBe('hit');
    expect(made.entry.storedAt).toBe(value.entry.storedAt);
    expect(made.entry.freshUntil).toBe(value.entry.freshUntil);
    expect(await item()).toBeUndefined();
  });
});

test('a value is loaded with its previous value, from any container, as long as that is cached', async () => {
  const [first, second] = [container(), container()];
  const append = async (previous: number[] = []) => [...previous, previous.length];
  expect((await first.cache.value(key, { freshSeconds: 10 }, append)).value).toEqual([0]);
  expect((await first.cache.value(key, { freshSeconds: 10 }, append)).value).toEqual([0]);
  second.clock.offset = 11_000;
  expect((await second.cache.value(key, { freshSeconds: 10 }, append)).value).toEqual([0, 1]);
  first.clock.offset = 30 * HOUR;
  expect((await first.cache.value(key, { freshSeconds: 10 }, append)).value).toEqual([0]);
});

test('a prefetched entry is read from the table before it is asked for', async () => {
  const { load } = source();
  const [first, second] = [container(), container()];
  await first.cache.get(key, SHARED, load);
  second.cache.prefetch([key]);
  expect(await item()).toBeDefined();
  await tables.client.send(new DeleteItemCommand({ TableName: 'cache', Key: { pk: { S: `2#test#${key}` } } }));
  expect(await second.cache.get(key, SHARED, load)).toMatchObject({ state: 'hit', entry: { storedAt: NOW } });
});

describe('bodies larger than a table item', () => {
  const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);
  const loading = (body: string) => async () => ({ body, contentType: 'text/plain' });
  const restKey = async () => ({ pk: { S: `2#test#${key}#${(await item())?.etag?.S}-1` } });

  test('are shared as several items', async () => {
    const [first, second] = [container(), container()];
    const body = noise(600_000);
    await first.cache.get(key, SHARED, loading(body));
    expect((await item())?.rest?.N).toBe('1');
    const elsewhere = await second.cache.get(key, SHARED, loading('another'));
    expect(elsewhere.state).toBe('hit');
    expect(decode(elsewhere.entry).toString()).toBe(body);
    const rest = await tables.client.send(new GetItemCommand({ TableName: 'cache', Key: await restKey() }));
    expect(rest.Item?.expiresAt).toEqual((await item())?.expiresAt);
  });

  test.each([
    ['is missing', async () => tables.client.send(new DeleteItemCommand({ TableName: 'cache', Key: await restKey() }))],
    [
      'is damaged',
      async () =>
        tables.client.send(
          new PutItemCommand({
            TableName: 'cache',
            Item: { ...(await restKey()), body: { B: Buffer.from('damaged') } },
          }),
        ),
    ],
  ])('are read from the source again when a part %s', async (_, damage) => {
    const body = noise(600_000);
    await container().cache.get(key, SHARED, loading(body));
    await damage();
    const reader = container();
    expect((await reader.cache.get(key, SHARED, loading(body))).state).toBe('miss');
    expect(reader.telemetry.lines[0]?.message).toBe('cache item is corrupt, treated as a miss');
    expect((await container().cache.get(key, SHARED, loading(body))).state).toBe('hit');
  });

  test('stay in memory, with a warning, if they need too many items', async () => {
    const { cache, telemetry } = container();
    const load = loading(noise(4_000_000));
    await cache.get(key, SHARED, load);
    expect((await cache.get(key, SHARED, load)).state).toBe('hit');
    expect((await item())?.body).toBeUndefined();
    expect(telemetry.lines.map(({ message }) => message)).toContain(
      'body too large for the cache table, kept in memory only',
    );
  });
});
