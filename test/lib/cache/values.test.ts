import { serialize } from 'node:v8';
import { describe, expect, test } from '@jest/globals';
import type { Cached } from '../../../lib/cache/cache-entry.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { encode } from '../../../lib/values/encoding.ts';
import { fleetForEachTest, HOUR, SECOND } from './fleet.ts';

/** Values and the bodies made from them, with a clock that tests move by hand and a map for a table. */

const fleet = fleetForEachTest();

describe('a value', () => {
  const policy = { freshSeconds: 10, shared: true } as const;

  test('keeps types that JSON cannot hold, and has the block of its data', async () => {
    const block = { number: 7, timestamp: 8 };
    const made = await fleet.container().value('data', policy, async () => ({ amount: 10n ** 30n, block }));
    expect(made.entry).toMatchObject({ contentType: 'application/x-v8', block });
    const other = fleet.container();
    const { value, state } = await other.value('data', policy, async () => ({ amount: 0n }));
    expect((await other.value('data', policy, async () => ({ amount: 0n }))).value).toBe(value);
    expect(value).toEqual({ amount: 10n ** 30n, block });
    expect(state).toBe('hit');
  });

  test.each([
    [3_900, false],
    [4_100, true],
  ])('of about %d bytes is compressed: %s', async (bytes, gzip) => {
    const { entry, value } = await fleet.container().value('data', policy, async () => 'x'.repeat(bytes));
    expect(entry.gzip).toBe(gzip);
    expect((await fleet.container().value('data', policy, async () => '')).value).toBe(value);
  });

  test('is loaded with its previous value', async () => {
    const append = async (previous: number[] = []) => [...previous, previous.length];
    const cache = fleet.container();
    expect((await cache.value('data', policy, append)).value).toEqual([0]);
    fleet.clock.skip(11 * SECOND);
    expect((await fleet.container().value('data', policy, append)).value).toEqual([0, 1]);
    // But not one that is no longer cached.
    fleet.clock.skip(24 * HOUR);
    expect((await fleet.container().value('data', policy, append)).value).toEqual([0]);
  });

  test.each<[string, number]>([
    ['fresh', 10_000],
    ['stale', -1],
  ])('that is %s and cannot be decoded is a miss, and is loaded without a previous value', async (_, freshMs) => {
    const damaged = encode(Buffer.concat([Buffer.from([0xff, 0x7f]), serialize(1)]), 'application/x-v8');
    fleet.put('test#data', damaged, freshMs);
    const previous: unknown[] = [];
    const load = async (before?: string) => {
      previous.push(before);
      return 'new';
    };
    expect(await fleet.container().value('data', policy, load)).toMatchObject({ value: 'new', state: 'miss' });
    expect(previous).toEqual([undefined]);
    expect(fleet.telemetry.lines).toEqual([
      {
        level: 'warn',
        message: 'cached value cannot be read, treated as a miss',
        fields: { key: 'test#data', error: expect.anything() },
      },
    ]);
    expect((await fleet.container().value('data', policy, load)).state).toBe('hit');
  });
});

describe('a body made from values', () => {
  const policy = { freshSeconds: 60 };
  const making = (sources: Cached[], made = { count: 0 }) =>
    Object.assign(
      async () => {
        made.count++;
        return { body: '{}', contentType: 'application/json', sources };
      },
      { made },
    );

  test('is as old as the oldest value, and fresh until the first one expires', async () => {
    const cache = fleet.container();
    const old = await cache.value('old', { freshSeconds: 10, shared: true }, async () => 1);
    fleet.clock.skip(5 * SECOND);
    const young = await cache.value('young', { freshSeconds: 100, shared: true }, async () => 1);
    const { entry } = await cache.get('key', policy, making([old, young]));
    expect(entry).toMatchObject({
      storedAt: old.entry.storedAt,
      freshUntil: old.entry.freshUntil,
      staleUntil: old.entry.staleUntil,
    });
    const { entry: own } = await cache.get('own', { ...policy, freshSeconds: 1 }, making([young]));
    expect(own.freshUntil).toBe(fleet.clock.now() + 1_000);
  });

  test('is stale if any value is, and otherwise a miss, which took some time', async () => {
    const cache = fleet.container();
    const miss = await cache.value('data', { freshSeconds: 10, shared: true }, async () => 1);
    const hit = await cache.value('data', { freshSeconds: 10, shared: true }, async () => 1);
    expect(hit.state).toBe('hit');
    const loadMs = expect.any(Number);
    for (const [place, sources] of [[hit, hit], [hit, miss], []].entries())
      expect(await cache.get(`key-${place}`, policy, making(sources))).toMatchObject({ state: 'miss', loadMs });
    const old = { ...hit, state: 'stale' } as const;
    expect(await cache.get('old', policy, making([miss, old]))).toMatchObject({ state: 'stale', loadMs });
  });
});

test('a value that is made from another one is as old as that one, and stale while it is', async () => {
  const policy = { freshSeconds: 10, shared: true } as const;
  const container = fleet.container();
  await container.value('source', policy, async () => 1);
  fleet.clock.skip(policy.freshSeconds * 1_000);
  let made = 0;
  const derive = () =>
    container.value('derived', policy, async (_, sources) => {
      made++;
      const source = await container.value<number>('source', policy, () =>
        Promise.reject(new ApiError('UPSTREAM_UNAVAILABLE', '')),
      );
      sources.push(source);
      return source.value + 1;
    });
  const { state, value, entry } = await derive();
  expect([state, value]).toEqual(['stale', 2]);
  // Made again, it would be the same.
  expect([(await derive()).state, made]).toEqual(['stale', 1]);
  expect(entry.storedAt).toBe(fleet.clock.now() - policy.freshSeconds * 1_000);
});
