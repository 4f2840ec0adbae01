import { beforeEach, expect, test } from '@jest/globals';
import { Cache } from '../../../lib/cache/cache.ts';
import type { Cached, Loaded } from '../../../lib/cache/cache-entry.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { decode } from '../../../lib/values/encoding.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';
import { storeOf } from './fleet.ts';

/**
 * Several containers at the same time, on a real table engine. The other files of this folder test one container to the
 * millisecond (with a map for a table), and the table alone.
 */

const SHARED = { freshSeconds: 10, shared: true } as const;
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
  const clock = { offset: clockOffsetMs, back: 0 };
  const own = {
    now: () => NOW + clock.offset,
    unix: () => NOW + clock.offset - clock.back,
    wait: (ms: number) => systemClock.wait(ms * patience),
  };
  const cache = new Cache('test', storeOf(tables.client, telemetry, own), telemetry, own);
  return { cache, telemetry, clock };
}

/** A source that counts its reads, and can be slow: it answers nothing before `isDone`. */
function source(isDone = () => true) {
  const state = { reads: 0 };
  const load = async (): Promise<Loaded> => {
    const read = ++state.reads;
    while (!isDone()) await systemClock.wait(10);
    return { body: `{"read":${read}}`, contentType: 'application/json' };
  };
  return Object.assign(state, { load });
}

const bodyOf = ({ entry }: Cached) => JSON.parse(decode(entry).toString());

test('a missing entry is read from the source once when 20 containers miss it at the same time', async () => {
  const origin = source();
  const load = () => systemClock.wait(150).then(origin.load);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => container({ patience: 10 }).cache.get(key, SHARED, load)),
  );
  expect(origin.reads).toBe(1);
  expect(results.every((cached) => bodyOf(cached).read === 1)).toBe(true);
});

test.each([
  ['is 5 minutes ahead serves nothing more than as much too old', 300_000, 0, 300_000],
  ['is 5 minutes behind serves nothing more than as much too old', -300_000, 0, 300_000],
  ['is set back by 8 s serves nothing too old', 0, 8_000, 8_000],
  ['is an hour ahead until it is set back serves nothing too old', 3_600_000, 3_600_000, 0],
])('a container whose clock %s, and does not flood the source', async (_, clockOffsetMs, backMs, mostMs) => {
  const [right, wrong] = [container(), container({ clockOffsetMs })];
  const origin = source();
  const readAt = new Map<number, number>();
  const load = async () => {
    const loaded = await origin.load();
    readAt.set(origin.reads, NOW + right.clock.offset);
    return loaded;
  };
  let worst = 0;
  // Two containers, each asked every three seconds for ten minutes.
  for (let second = 0; second < 600; second += 3) {
    right.clock.offset = second * 1_000;
    wrong.clock.offset = second * 1_000 + clockOffsetMs;
    wrong.clock.back = second > 100 ? backMs : 0;
    for (const { cache } of [right, wrong]) {
      const cached = await cache.get(key, SHARED, load);
      const { read } = bodyOf(cached);
      if (wrong.clock.back > 0) expect(cached.state).not.toBe('stale');
      worst = Math.max(worst, NOW + right.clock.offset - (readAt.get(read) ?? 0));
    }
  }
  expect(worst).toBeLessThanOrEqual(mostMs + 11_000);
  // One refresh per container and freshness period would be 2 × 600 s / 9 s.
  expect(origin.reads).toBeLessThanOrEqual(140);
});
