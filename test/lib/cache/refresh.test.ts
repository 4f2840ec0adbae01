import { describe, expect, jest, test } from '@jest/globals';
import type { Cached, CacheEntry, CachePolicy, Loaded } from '../../../lib/cache/cache-entry.ts';
import { withDeadline } from '../../../lib/runtime/deadline.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { decode, encode } from '../../../lib/values/encoding.ts';
import { fleetForEachTest, HOUR, LEASE_MS, SECOND } from './fleet.ts';

/** The timing of the cache to the millisecond, with a clock that tests move by hand and a map for a table. */

const SHARED = { freshSeconds: 10, shared: true } as const;
const OWN = { freshSeconds: 10 };
const KEY = 'test#key';

const fleet = fleetForEachTest();

/** A source that counts its reads, and fails with `failure` while that is set. */
function source() {
  const state = { reads: 0, failure: undefined as unknown, previous: [] as (CacheEntry | undefined)[] };
  const load = async (previous?: CacheEntry): Promise<Loaded> => {
    state.reads++;
    state.previous.push(previous);
    if (state.failure) throw state.failure;
    return { body: `{"read":${state.reads}}`, contentType: 'application/json' };
  };
  return Object.assign(state, { load });
}

const bodyOf = ({ entry }: Cached) => JSON.parse(decode(entry).toString());
const down = () => new ApiError('UPSTREAM_UNAVAILABLE', 'down');

/** A container whose entry has just expired, and its source. */
async function expired(policy: CachePolicy = SHARED) {
  const [cache, origin] = [fleet.container(), source()];
  await cache.get('key', policy, origin.load);
  fleet.clock.skip(11 * SECOND);
  return { cache, origin };
}

describe('an entry', () => {
  test('is fresh for its time, and not a millisecond longer', async () => {
    const cache = fleet.container();
    const { load } = source();
    expect((await cache.get('key', SHARED, load)).state).toBe('miss');
    fleet.clock.skip(10 * SECOND - 1);
    expect((await cache.get('key', SHARED, load)).state).toBe('hit');
    fleet.clock.skip(1);
    const again = await cache.get('key', SHARED, load);
    expect(again.state).toBe('miss');
    expect(bodyOf(again)).toEqual({ read: 2 });
  });

  test.each([
    [0, 10_000],
    [0.5, 9_500],
    [0.999_999, 9_000],
  ])('has its freshness shortened by up to a tenth, at random (%d)', async (random, freshMs) => {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    const { entry } = await fleet.container().get('key', SHARED, source().load);
    expect(entry.freshUntil - fleet.clock.now()).toBe(freshMs);
    expect(entry).toMatchObject({ storedAt: fleet.clock.now(), staleUntil: fleet.clock.now() + 24 * HOUR, maxAge: 10 });
  });

  test('is dated from when its load began', async () => {
    const before = fleet.clock.now();
    const { entry } = await fleet.container().get('key', SHARED, async () => {
      fleet.clock.skip(700);
      return { body: '{}', contentType: 'application/json' };
    });
    expect(entry).toMatchObject({ storedAt: before, freshUntil: before + 10_000 });
  });

  test('from the table is served while it is fresh, and kept in memory', async () => {
    const { load } = source();
    await fleet.container().get('key', SHARED, load);
    const cache = fleet.container();
    fleet.clock.skip(10 * SECOND - 1);
    expect((await cache.get('key', SHARED, load)).state).toBe('hit');
    const asked = fleet.table.asked.length;
    expect((await cache.get('key', SHARED, load)).state).toBe('hit');
    expect(fleet.table.asked).toHaveLength(asked);
  });

  test('that is not shared is neither written to the table nor looked up there', async () => {
    const { load } = source();
    const [cache, other] = [fleet.container(), fleet.container()];
    await cache.get('key', OWN, load);
    expect((await cache.get('key', OWN, load)).state).toBe('hit');
    expect((await other.get('key', OWN, load)).state).toBe('miss');
    expect(fleet.table.asked).toEqual([]);
  });

  test('is read once for concurrent requests, and a failure reaches them all', async () => {
    const cache = fleet.container();
    const origin = source();
    const both = await Promise.all([cache.get('key', SHARED, origin.load), cache.get('key', SHARED, origin.load)]);
    expect(both.map(bodyOf)).toEqual([{ read: 1 }, { read: 1 }]);
    origin.failure = down();
    const failed = await Promise.allSettled([
      cache.get('other', SHARED, origin.load),
      cache.get('other', SHARED, origin.load),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(origin.reads).toBe(2);
    origin.failure = undefined;
    expect((await cache.get('other', SHARED, origin.load)).state).toBe('miss');
  });
});

describe('an entry that expired a minute ago', () => {
  const MINUTE = 60 * SECOND;

  test('is not served while another request to the container refreshes it', async () => {
    const cache = fleet.container();
    await cache.get('key', SHARED, source().load);
    const refresh = async (ms: number) => {
      fleet.clock.skip(ms);
      const { promise, resolve } = Promise.withResolvers<Loaded>();
      const first = cache.get('key', SHARED, () => promise);
      const second = cache.get('key', SHARED, source().load);
      resolve({ body: '{"read":9}', contentType: 'application/json' });
      await first;
      return second;
    };
    expect((await refresh(10 * SECOND + MINUTE - 1)).state).toBe('stale');
    const joined = await refresh(10 * SECOND + MINUTE);
    expect([joined.state, bodyOf(joined)]).toEqual(['miss', { read: 9 }]);
  });

  test('is served at once, or after 400 ms a millisecond later, and then without the table until the lease expires', async () => {
    await fleet.container().get('key', SHARED, source().load);
    fleet.clock.skip(10 * SECOND + MINUTE - 1);
    fleet.holdLease(KEY);
    const [early, cache, origin] = [fleet.container(), fleet.container(), source()];
    const first = await early.get('key', SHARED, origin.load);
    const before = fleet.table.asked.length;
    expect([first.state, (await early.get('key', SHARED, origin.load)).state]).toEqual(['stale', 'stale']);
    expect(fleet.table.asked).toHaveLength(before);

    fleet.clock.skip(1);
    const served = cache.get('key', SHARED, origin.load);
    await fleet.clock.advance(399);
    expect(await Promise.race([served, 'not yet'])).toBe('not yet');
    await fleet.clock.advance(1);
    expect((await served).state).toBe('stale');
    const asked = fleet.table.asked.length;
    fleet.clock.skip(LEASE_MS - 402);
    expect((await cache.get('key', SHARED, origin.load)).state).toBe('stale');
    expect(fleet.table.asked).toHaveLength(asked);
    expect(origin.reads).toBe(0);
    fleet.clock.skip(2);
    expect((await cache.get('key', SHARED, origin.load)).state).toBe('miss');
  });
});

describe('a refresh that fails', () => {
  test.each<[string, CachePolicy]>([
    ['memory', OWN],
    ['memory, before an older one of the table,', SHARED],
    ['the table', SHARED],
  ])('serves the stale entry of %s for 24 hours, to the millisecond', async (place, policy) => {
    const cache = fleet.container();
    const origin = source();
    await cache.get('key', policy, origin.load);
    const item = fleet.table.items.get(KEY);
    if (item && place.includes('older'))
      fleet.table.items.set(KEY, { ...item, ...encode('{"read":0}', 'application/json'), storedAt: 0 });
    const asked = () => (place === 'the table' ? fleet.container() : cache).get('key', policy, origin.load);
    origin.failure = down();
    fleet.clock.skip(24 * HOUR - 1);
    const served = await asked();
    expect([served.state, bodyOf(served)]).toEqual(['stale', { read: 1 }]);
    fleet.clock.skip(1);
    fleet.table.leases.clear();
    await expect(asked()).rejects.toThrow('down');
  });

  test.each<[string, CachePolicy, number]>([
    ['default', SHARED, LEASE_MS],
    ["policy's own", { ...SHARED, leaseMs: 9_500 }, 9_500],
    ["container's own", OWN, LEASE_MS],
  ])('keeps the %s lease, and asks nobody again until it expires', async (_, policy, expected) => {
    const { cache, origin } = await expired(policy);
    origin.failure = down();
    await cache.get('key', policy, origin.load);
    const asked = [...fleet.table.asked];
    expect(asked.at(-1)).toBe(policy.shared && `lease ${expected}`);
    fleet.clock.skip(expected - 1);
    expect((await cache.get('key', policy, origin.load)).state).toBe('stale');
    expect([origin.reads, fleet.table.asked]).toEqual([2, asked]);
    fleet.clock.skip(2);
    await cache.get('key', policy, origin.load);
    expect(origin.reads).toBe(3);
  });

  test.each([
    ['a defect', new TypeError('x is undefined'), 'error'],
    ['a 500', new ApiError('INTERNAL', 'broken'), 'warn'],
    ['the source', down(), 'warn'],
  ])('because of %s serves the stale entry, and is logged', async (_, failure, level) => {
    const { cache, origin } = await expired();
    origin.failure = failure;
    expect((await cache.get('key', SHARED, origin.load)).state).toBe('stale');
    expect(fleet.telemetry.lines).toEqual([
      { level, message: 'refresh failed, serving stale', fields: { key: KEY, error: failure } },
    ]);
  });

  test("with a 4xx is the request's answer, in place of the stale entry", async () => {
    const { cache, origin } = await expired();
    origin.failure = new ApiError('INVALID_REQUEST', 'no');
    await expect(cache.get('key', SHARED, origin.load)).rejects.toThrow('no');
    expect(fleet.table.leases.size).toBe(0);
  });

  test('with nothing to serve releases the lease', async () => {
    const origin = source();
    origin.failure = down();
    await expect(fleet.container().get('key', SHARED, origin.load)).rejects.toThrow('down');
    expect(fleet.table.asked).toEqual(['read', `lease ${LEASE_MS}`, 'release token-2']);
    expect(fleet.table.leases.size).toBe(0);
  });
});

describe('a lease that another container holds', () => {
  test('ends in memory, too, if its holder has a clock that is a day ahead', async () => {
    await expired();
    fleet.table.leases.set(KEY, { token: 'of another', until: fleet.clock.now() + 24 * HOUR });
    const [cache, origin] = [fleet.container(), source()];
    expect((await cache.get('key', SHARED, origin.load)).state).toBe('stale');
    // The table ignores the end of such a lease.
    fleet.table.leases.delete(KEY);
    expect((await cache.get('key', SHARED, origin.load)).state).toBe('miss');
  });

  test('is waited for if nothing is cached, until its entry arrives', async () => {
    fleet.holdLease(KEY);
    const origin = source();
    const found = fleet.container().get('key', SHARED, origin.load);
    await fleet.clock.advance(119);
    fleet.put(KEY, encode('{"read":"by the holder"}', 'application/json'));
    await fleet.clock.advance(1);
    expect(bodyOf(await found)).toEqual({ read: 'by the holder' });
    expect((await found).state).toBe('hit');
    expect(origin.reads).toBe(0);
    // After 20, 60 and 120 ms.
    expect(fleet.table.asked).toEqual(['read', `lease ${LEASE_MS}`, 'read', 'read', 'read']);
  });

  test('is waited for 400 ms, and not longer', async () => {
    fleet.holdLease(KEY);
    const origin = source();
    const found = fleet.container().get('key', SHARED, origin.load);
    await fleet.clock.advance(399);
    expect(origin.reads).toBe(0);
    await fleet.clock.advance(1);
    expect((await found).state).toBe('miss');
    expect(origin.reads).toBe(1);
    expect(fleet.table.asked.filter((what) => what === 'read')).toHaveLength(7);
  });
});

test('"no such entity" is cached for 15 s, in memory and in the table', async () => {
  const origin = source();
  origin.failure = new ApiError('MINIPOOL_NOT_FOUND', `No minipool has this node. ${'x'.repeat(2_000)}`);
  const [first, second] = [fleet.container(), fleet.container()];
  for (const cache of [first, first, second]) {
    await expect(cache.get('key', SHARED, origin.load)).rejects.toMatchObject({
      code: 'MINIPOOL_NOT_FOUND',
      message: (origin.failure as Error).message,
    });
  }
  expect(origin.reads).toBe(1);
  // The table rejects an entry without a content type.
  expect(fleet.table.items.get(KEY)?.contentType).toBe('text/plain');
  fleet.clock.skip(15 * SECOND - 1);
  await expect(first.get('key', SHARED, origin.load)).rejects.toThrow();
  expect(origin.reads).toBe(1);
  fleet.clock.skip(1);
  origin.failure = down();
  await expect(first.get('key', SHARED, origin.load)).rejects.toThrow('down');
});

describe('the deadline of a request', () => {
  const within = <T>(ms: number, work: () => Promise<T>) => withDeadline(fleet.clock.now() + ms, work);
  const never = () => new Promise<Loaded>(() => {});

  test('has the stale entry served when it passes', async () => {
    const { cache } = await expired();
    const served = within(5_000, () => cache.get('key', SHARED, never));
    await fleet.clock.advance(4_999);
    expect(await Promise.race([served, 'not yet'])).toBe('not yet');
    await fleet.clock.advance(1);
    expect((await served).state).toBe('stale');
  });

  test('ends only its own request: another one that has joined its load and has more time loads again', async () => {
    const cache = fleet.container();
    const late = expect(within(5_000, () => cache.get('key', SHARED, never))).rejects.toMatchObject({ status: 504 });
    await fleet.clock.advance(1_000);
    const origin = source();
    const patient = within(5_000, () => cache.get('key', SHARED, origin.load));
    const impatient = expect(within(4_000, () => cache.get('key', SHARED, origin.load))).rejects.toMatchObject({
      status: 504,
    });
    await fleet.clock.advance(4_000);
    await late;
    await impatient;
    expect((await patient).state).toBe('miss');
    expect(origin.reads).toBe(1);
  });

  test('is kept if the write to the table hangs', async () => {
    const served = within(5_000, () => {
      fleet.table.write = () => new Promise(() => {});
      return fleet.container().get('key', SHARED, source().load);
    });
    await fleet.clock.advance(5_000);
    expect((await served).state).toBe('miss');
  });

  test('is earlier for a value that a body is made from, which leaves time to make the body from the stale value', async () => {
    const cache = fleet.container();
    await cache.value('data', SHARED, async () => 'old');
    fleet.clock.skip(11 * SECOND);
    const body = within(5_000, () =>
      cache.get('key', OWN, async () => {
        const data = await cache.value('data', SHARED, () => new Promise<string>(() => {}));
        return { body: data.value, contentType: 'text/plain', sources: [data] };
      }),
    );
    await fleet.clock.advance(4_749);
    expect(await Promise.race([body, 'not yet'])).toBe('not yet');
    await fleet.clock.advance(1);
    const served = await body;
    expect(served.state).toBe('stale');
    expect(decode(served.entry).toString()).toBe('old');
  });
});
