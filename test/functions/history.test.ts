import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ggAvaxHistory } from '../../functions/gg-avax/history.ts';
import { metricsApyHistory } from '../../functions/metrics/apy-history.ts';
import { metricsHistory } from '../../functions/metrics/history.ts';
import { pricesAt } from '../../functions/prices/at.ts';
import { pricesDex } from '../../functions/prices/dex.ts';
import { pricesDexHistory } from '../../functions/prices/dex-history.ts';
import { pricesHistory } from '../../functions/prices/history.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { HistoryStore } from '../../lib/history/history-store.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { formatAmount, toNumber } from '../../lib/values/amounts.ts';
import { DAY, HOUR } from '../../lib/values/durations.ts';
import { WAD } from '../../lib/values/wad.ts';
import { clockAt } from '../support/clock.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { lagsBehind } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, multiplesOf, newestHour } from './devnet.ts';

/** Points recorded from 40 days ago on, read through the endpoints. */

const YEAR = 31_536_000;

tablesForAllTests();
const keep = stoppedAfterEach();
let runtime: TestRuntime;
const chain = chainForAllTests();
let newest: number;
let start: number;
/** The containers' time, unix seconds. */
let now: number;

beforeAll(async () => {
  newest = await newestHour(chain);
  now = newest + HOUR;
  runtime = startOnDevnet({}, undefined, { clock: clockAt(() => now * 1_000) });
  const { opened, telemetry } = runtime;
  start = newest - 40 * DAY;
  // The newest boundary, 40 days, and a bit more than a day of hours.
  const limits = { most: 71, mayGoOn: () => true };
  await runRecorder({ chain: opened.chain, telemetry, history: opened.history }, start, limits);
});

type Values = Record<string, string | number>;

function get(
  endpoint: Endpoint,
  { query = {}, params = {} }: { query?: Values; params?: Record<string, string> } = {},
) {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return sendTo(endpoint, runtime, { query: texts, params });
}
const timesOf = (points: { timestamp: number }[]) => points.map(({ timestamp }) => timestamp);

/** The common behaviour of all histories, tested with one. `/prices/{dex}/history` also has a parameter. */
describe('a history', () => {
  const endpoint = pricesDexHistory;
  const asked = { params: { dex: 'tj' } };

  test('returns the last 30 days by default, the oldest first', async () => {
    const { status, body, headers } = await get(endpoint, asked);
    expect(status).toBe(200);
    const today = Math.floor(now / DAY) * DAY;
    expect(body).toMatchObject({ interval: '1d', from: today - 30 * DAY, to: today });
    expect(timesOf(body.points)).toEqual(multiplesOf(DAY, today - 30 * DAY, newest));
    expect(body.points.length + body.missing).toBe(31);
    expect(headers['Cache-Control']).toMatch(/^public, max-age=\d+/);
  });

  test('returns hours, and counts missing ones except those in the future', async () => {
    const query = { interval: '1h', from: newest - 2 * HOUR, to: newest + 500 * HOUR };
    const { body } = await get(endpoint, { ...asked, query });
    expect(timesOf(body.points)).toEqual([newest - 2 * HOUR, newest - HOUR, newest]);
    // The hour that begins now.
    expect(body.missing).toBe(1);
  });

  // A client that retries while something is missing would retry forever.
  test.each([
    ['1h', HOUR],
    ['1d', DAY],
  ])('says where the history (%s) begins, and counts nothing as missing before that', async (interval, seconds) => {
    const oldest = multiplesOf(DAY, start, newest)[0] as number;
    const read = async (from: number, to: number) =>
      (await get(endpoint, { ...asked, query: { interval, from, to } })).body;
    for (const from of [oldest, oldest - 1, oldest - 10 * seconds]) {
      const body = await read(from, oldest);
      expect(body).toMatchObject({ recordedFrom: oldest, missing: 0 });
      expect(timesOf(body.points)).toEqual([oldest]);
    }
    expect(await read(0, seconds)).toMatchObject({ recordedFrom: oldest, points: [], missing: 0 });
    expect(await read(oldest - seconds, oldest - 1)).toMatchObject({ recordedFrom: oldest, points: [], missing: 0 });
    expect(await read(newest + 1, newest + 2)).toMatchObject({ recordedFrom: oldest, points: [], missing: 0 });
  });
});

test('a page that ends just before the last point names it as the next one', async () => {
  const query = { interval: '1h', from: newest - HOUR, to: newest, limit: 1 };
  expect((await get(ggAvaxHistory, { query })).body.nextCursor).toBe(String(newest));
});

test.each([
  ['first', undefined],
  ['an older one', Number.MAX_SAFE_INTEGER],
])('a point that is recorded as %s between the queries of an answer is not missing', async (_, recordedFrom) => {
  jest.spyOn(HistoryStore.prototype, 'recordedFrom').mockResolvedValueOnce(recordedFrom);
  const query = { interval: '1h', from: newest - HOUR, to: newest, limit: 9 };
  expect((await get(ggAvaxHistory, { query })).body).toMatchObject({ recordedFrom: newest - HOUR, missing: 0 });
});

test("figures of the pool and of the protocol are those of the contracts at each point's block", async () => {
  const read = (view: string, block: number, args: unknown[] = []) =>
    chain.read('TokenggAVAX', view, args, block) as Promise<bigint>;
  const { points } = (await get(ggAvaxHistory)).body;
  for (const { blockNumber: at, timestamp: _, ...figures } of points.slice(-3))
    expect(figures).toEqual({
      avaxPerGgAvax: formatAmount(await read('convertToAssets', at, [WAD])),
      totalAssets: formatAmount(await read('totalAssets', at)),
      totalSupply: formatAmount(await read('totalSupply', at)),
      stakingTotalAssets: formatAmount(await read('stakingTotalAssets', at)),
    });
  const { body } = await get(metricsHistory, { query: { interval: '1h', from: newest, to: newest } });
  const [point] = body.points;
  expect(point).toMatchObject({
    total_assets: toNumber(await read('totalAssets', point.blockNumber)),
    total_ggp_staked: toNumber((await chain.read('Staking', 'getTotalGGPStake', [], point.blockNumber)) as bigint),
    exchange_rate: toNumber(await read('convertToAssets', point.blockNumber, [WAD])),
    ggp_oracle_price_in_avax: toNumber(
      (await chain.read('Oracle', 'getGGPPriceInAVAX', [], point.blockNumber)) as bigint,
    ),
  });
  expect(point.tvl_avax).toBeGreaterThan(point.total_assets);
  expect(point.minipools_staking).toBeGreaterThan(0);
});

/** AVAX wei for a ggAVAX at a block. */
const rateAt = (block: number) => chain.read('TokenggAVAX', 'convertToAssets', [WAD], block) as Promise<bigint>;

test('yields are the growth between two recorded blocks over the real seconds, and omitted if the first is not recorded', async () => {
  const { body } = await get(metricsApyHistory);
  const point = body.points.at(-1);
  const before = (await get(ggAvaxHistory, { query: { from: point.timestamp - 28 * DAY, to: point.timestamp } })).body
    .points[0];
  const growth = Number(await rateAt(point.blockNumber)) / Number(await rateAt(before.blockNumber));
  const [from, to] = [await chain.block(before.blockNumber), await chain.block(point.blockNumber)];
  const expected = (growth ** (YEAR / (to.timestamp - from.timestamp)) - 1) * 100;
  expect(point.apy_28d).toBeCloseTo(expected, 8);
  expect(point.apy_7d).toBeGreaterThan(0);

  const early = (await get(metricsApyHistory, { query: { from: start, to: start + 30 * DAY } })).body.points;
  expect(early[0]).not.toHaveProperty('apy_7d');
  expect(early.at(-1)).toHaveProperty('apy_28d');
  expect(early.find(({ apy_7d }: { apy_7d?: number }) => apy_7d !== undefined).timestamp).toBe(
    early[0].timestamp + 7 * DAY,
  );
});

test('a week at whose end everybody has redeemed has no yield, instead of a loss', async () => {
  // Long before all other points.
  const first = 18_000 * DAY;
  const write = (timestamp: number, avaxPerGgAvax: bigint, totalSupply: bigint) =>
    runtime.opened.history.write('1d', {
      timestamp,
      block: { number: timestamp / DAY, timestamp },
      values: { avaxPerGgAvax, totalSupply },
    });
  await write(first, 1_200n, WAD);
  await write(first + 7 * DAY, 1_201n, WAD);
  await write(first + 14 * DAY, 1_000n, 0n);
  // One wei is left, with what rounding has left.
  await write(first + 21 * DAY, 2_000n, 1n);
  const { body } = await get(metricsApyHistory, { query: { from: first, to: first + 21 * DAY } });
  expect(body.points).toEqual([
    { timestamp: first, blockNumber: 18_000 },
    { timestamp: first + 7 * DAY, blockNumber: 18_007, apy_7d: expect.any(Number) },
    { timestamp: first + 14 * DAY, blockNumber: 18_014 },
    { timestamp: first + 21 * DAY, blockNumber: 18_021 },
  ]);
});

test('a point that an older release recorded lacks the figures it did not know', async () => {
  const timestamp = 18_100 * DAY;
  const values = { avaxPerGgAvax: WAD, totalGGPStaked: 5n * WAD };
  await runtime.opened.history.write('1d', { timestamp, block: { number: 1, timestamp }, values });
  const { body } = await get(metricsHistory, { query: { from: timestamp, to: timestamp } });
  expect(body.points).toEqual([{ timestamp, blockNumber: 1, exchange_rate: 1, total_ggp_staked: 5 }]);
});

test.each(['tj', 'pangolin', 'uniswap', 'PHARAOH', 'blackhole'])(
  'prices of %s are what /prices/{dex} would have returned then',
  async (dex) => {
    const { body } = await get(pricesDexHistory, { params: { dex } });
    const { timestamp, blockNumber: block, ...prices } = body.points.at(-1);
    const provider = keep(
      await lagsBehind(process.env.DEVNET_RPC_URL as string, (await chain.block('latest')).number - block),
    );
    const container = startOnDevnet({ RPC_URLS: provider.url, CACHE_TABLE: 'no-cache' });
    const { body: then } = await sendTo(pricesDex, container, { params: { dex } });
    const { dex: code, name, pools, block: at, ...expected } = then;
    expect([at.number, body.dex]).toEqual([block, code]);
    expect(prices).toEqual(expected);
  },
);

describe('/prices/at', () => {
  const at = async (...times: number[]) => {
    const body = await bodyFrom(pricesAt, runtime, { query: { timestamp: times.join() } });
    return body.prices;
  };

  test('has the nearest recorded prices that are not after each time, oldest first, whatever the order asked', async () => {
    const { body } = await sendTo(pricesHistory, runtime, { query: { interval: '1h', limit: '1000' } });
    const { body: days } = await sendTo(pricesHistory, runtime);
    const points = [...days.points, ...body.points];
    const day = days.points[0]?.timestamp as number;
    const midnight = Math.floor(newest / DAY) * DAY;
    const times = [newest, newest + 3_599, newest - 1, midnight, midnight - 1, day, day + DAY - 1];
    const prices = await at(...times);
    expect(prices.map(({ asked }: { asked: number }) => asked)).toEqual(times.toSorted((a, b) => a - b));
    for (const { asked, interval, timestamp, ...rest } of prices) {
      const before = points.filter((point) => point.timestamp <= asked);
      const latest = Math.max(...before.map((point) => point.timestamp));
      expect({ timestamp, ...rest }).toEqual(before.find((point) => point.timestamp === latest));
      expect(timestamp % { '1h': HOUR, '1d': DAY }[interval as '1h']).toBe(0);
      // At midnight there are both: the hour counts, and a week later the day.
      if (timestamp === midnight) expect(interval).toBe('1h');
      if (asked < newest - 7 * DAY) expect(interval).toBe('1d');
    }
  });

  test('leaves out what is more than two days older, and says so', async () => {
    const [before, inTime, tooLate] = await at(newest + 2 * DAY, newest + 2 * DAY + HOUR, 1_600_000_000);
    expect(inTime?.timestamp).toBe(newest);
    const nothing = { partial: ['prices'], reasons: { prices: 'NOT_RECORDED' } };
    expect([tooLate, before]).toEqual([
      { asked: newest + 2 * DAY + HOUR, ...nothing },
      { asked: 1_600_000_000, ...nothing },
    ]);
  });

  test('reads one row for each hour of the last week, and one for each day before', async () => {
    const read = jest.spyOn(HistoryStore.prototype, 'newest');
    const week = now - 7 * DAY;
    const day = Math.floor((week - 1) / DAY) * DAY;
    await at(newest, newest + 10, newest - HOUR, week - 1, week - 2, day, day - DAY);
    const last = (interval: string, time: number) => [interval, time - 2 * DAY, time];
    expect(read.mock.calls).toEqual([
      last('1d', day - DAY),
      last('1d', day),
      last('1h', newest - HOUR),
      last('1h', newest),
    ]);
    read.mockClear();
    // Without that hour, also the newest day. At midnight, each day is an hour, too.
    const missing = week % DAY === 0 ? week + HOUR : week;
    await at(missing);
    expect(read.mock.calls).toEqual([last('1h', missing), last('1d', missing)]);
    read.mockRestore();
  });

  test('refuses more than 100 times, and times in milliseconds', async () => {
    for (const timestamp of [Array.from({ length: 101 }, (_, time) => time).join(), '1789000000000']) {
      const { status, body } = await sendTo(pricesAt, runtime, { query: { timestamp } });
      expect([status, body.errors[0]?.parameter]).toEqual([400, 'timestamp']);
    }
  });
});
