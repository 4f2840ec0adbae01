import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { metricsApy } from '../../functions/metrics/apy.ts';
import { metricsName } from '../../functions/metrics/name.ts';
import { metrics } from '../../functions/metrics.ts';
import { supplyGgpTotal } from '../../functions/supply/ggp-total.ts';
import { METRIC_NAMES } from '../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { toNumber } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';
import { EMPTY_PROTOCOL } from '../lib/protocol/empty-protocol.ts';
import { clockAt } from '../support/clock.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { forgets, lagsBehind, proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, chainForAllTests, forkDevnet, setPool } from './devnet.ts';

const YEAR = 31_536_000;
const ONE = 10n ** 18n;

const keep = stoppedAfterEach();
const tables = tablesForAllTests();
const chain = chainForAllTests();
let runtime: TestRuntime;

beforeAll(() => {
  runtime = startOnDevnet();
});

/** The response of a container with an empty cache. */
async function apy(env: Record<string, string> = {}) {
  await tables.renew();
  const container = startOnDevnet(env);
  return { ...(await sendTo(metricsApy, container)), container };
}

const rateAt = (client: Chain, block: number) =>
  client.read('TokenggAVAX', 'convertToAssets', [ONE], block) as Promise<bigint>;

test('each window is the growth of convertToAssets between the two blocks it names', async () => {
  const { body } = await apy();
  expect(body.windows.map(({ days }: { days: number }) => days)).toEqual([7, 14, 28, 90]);
  for (const { days, from, to, apr } of body.windows) {
    const [r0, r1] = [await rateAt(chain, from.blockNumber), await rateAt(chain, to.blockNumber)];
    const growth = Number(((r1 - r0) * ONE) / r0) / 1e18;
    expect([from.rate, to.rate]).toEqual([toNumber(r0), toNumber(r1)]);
    expect(apr).toBeCloseTo((growth * YEAR * 100) / (to.timestamp - from.timestamp), 9);
    // It begins with the last block at or before its time.
    const [first, next] = await Promise.all([chain.block(from.blockNumber), chain.block(from.blockNumber + 1)]);
    expect(first.timestamp).toBe(from.timestamp);
    expect(first.timestamp).toBeLessThanOrEqual(to.timestamp - days * DAY);
    expect(next.timestamp).toBeGreaterThan(to.timestamp - days * DAY);
  }
});

test('the headline is the window of 28 days, as in /metrics, and total_apy has the fee added back', async () => {
  const { body, container } = await apy();
  const [window] = body.windows.filter(({ days }) => days === 28) as [(typeof body.windows)[number]];
  expect(body.window_days).toBe(28);
  expect(body.total_apy_after_fees).toBe(window.apy);
  expect(body.fee_percent).toBe(10);
  const [r0, r1] = [await rateAt(chain, window.from.blockNumber), await rateAt(chain, window.to.blockNumber)];
  const gross = Number(((((r1 - r0) * 10_000n) / 9_000n) * ONE) / r0) / 1e18;
  const seconds = window.to.timestamp - window.from.timestamp;
  expect(body.total_apy).toBeCloseTo(((1 + gross) ** (YEAR / seconds) - 1) * 100, 9);
  const figures = (await sendTo(metrics, container)).body;
  expect(figures.ggavax_apy).toBe(body.total_apy_after_fees);
  expect(figures.ggavax_apr).toBe(window.apr);
});

test('the current reward stream is annualized over its nominal cycle', async () => {
  const { body } = await apy();
  const read = (name: string) => chain.read('TokenggAVAX', name, [], body.block.number);
  const [rewards, released, length, end] = await Promise.all(
    ['lastRewardsAmt', 'totalReleasedAssets', 'rewardsCycleLength', 'rewardsCycleEnd'].map(read),
  );
  expect(body.current_cycle.end).toBe(Number(end));
  const expected = ((Number(rewards) / Number(released)) * YEAR * 100) / Number(length);
  expect(body.current_cycle.apr).toBeCloseTo(expected, 8);
});

test.each([
  ['/metrics/apy', metricsApy, 7],
  ['/metrics', metrics, 5],
])('%s without recorded hours searches the chain in a few requests, whatever the head', async (_, endpoint, most) => {
  const { number: latest } = await chain.block('latest');
  // The clock stands still, because a figure that takes too long is omitted.
  const now = Date.now();
  const clock = clockAt(() => now);
  for (const behind of [0, 1, 10, 60]) {
    const head = keep(await lagsBehind(process.env.DEVNET_RPC_URL as string, behind));
    const counted = keep(await proxyTo(head.url));
    await tables.renew();
    // As if another container had found addresses and pools within the hour.
    await readCachedPools(startOnDevnet({ RPC_URLS: head.url }, undefined, { clock }).opened);
    const body = await bodyFrom(endpoint, startOnDevnet({ RPC_URLS: counted.url }, undefined, { clock }));
    expect(body.block.number).toBe(latest - behind);
    if ('windows' in body) expect(body.windows).toHaveLength(4);
    else expect(body).toHaveProperty('ggavax_apy');
    // One for the head, one for the states at the starts, and the rest to find those blocks among all.
    expect(counted.requests.length).toBeLessThanOrEqual(most);
    // The largest batch that public providers accept.
    for (const calls of counted.requests) expect(calls.length).toBeLessThanOrEqual(40);
  }
});

test('without the state at their start, windows are omitted and listed in partial, and the headline is a shorter one', async () => {
  const { body: whole } = await apy();
  const edge = whole.windows[1]?.from.blockNumber as number;
  const pruned = keep(await forgets(process.env.DEVNET_RPC_URL as string, edge));
  const { status, body } = await apy({ RPC_URLS: pruned.url });
  expect(status).toBe(200);
  expect(body.windows.map(({ days }: { days: number }) => days)).toEqual([7, 14]);
  expect(body).toMatchObject({ window_days: 14, partial: ['windows'] });
});

describe('after everybody has redeemed', () => {
  test.each([0n, 12_345n])('there is no yield, instead of a loss, with %d wei left', async (dust) => {
    const emptied = keep(await forkDevnet());
    await setPool(emptied, {
      totalSupply: 0n,
      lastRewardsAmt: 0n,
      totalReleasedAssets: dust,
      stakingTotalAssets: 0n,
    });
    const { number, timestamp } = await emptied.block('latest');
    expect(await emptied.read('TokenggAVAX', 'totalSupply')).toBe(0n);
    expect(await emptied.read('TokenggAVAX', 'totalAssets')).toBe(dust);
    expect(await rateAt(emptied, number)).toBe(ONE);

    const { body } = await apy({ RPC_URLS: emptied.url });
    expect(body).toEqual({
      method: 'exchange-rate-growth',
      windows: [],
      current_cycle: { apr: 0, rewards_amt: 0, start: expect.any(Number), end: expect.any(Number) },
      fee_percent: 10,
      block: { number, timestamp },
    });
  });
});

const figure = (name: string) => sendTo(metricsName, runtime, { params: { name } });

/** The numbers in a body by their paths, without those of its block. */
function numbersIn(body: object, prefix = ''): [string, number][] {
  return Object.entries(body).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + name, value]];
    return typeof value === 'object' && name !== 'block' ? numbersIn(value, `${name}.`) : [];
  });
}

test('each figure of /metrics is returned as a bare number, at the same block', async () => {
  const all = await sendTo(metrics, runtime);
  const numbers = numbersIn(all.body);
  expect(numbers.length).toBeGreaterThan(30);
  for (const [name, value] of numbers) {
    const { status, body, headers } = await figure(name);
    expect([name, status, body]).toEqual([name, 200, value]);
    expect(headers['X-Block-Number']).toBe(String(all.body.block.number));
  }
  expect(METRIC_NAMES).toEqual(expect.arrayContaining(numbers.map(([name]) => name)));
});

test('a bare number is plain text for those who ask for it', async () => {
  const typeFor = async (accept: string, endpoint: Endpoint = supplyGgpTotal) => {
    const { headers } = await sendTo(endpoint, runtime, { headers: { accept } });
    return [headers['Content-Type'], headers.Vary];
  };
  expect(await typeFor('text/plain')).toEqual(['text/plain; charset=utf-8', 'Accept, Accept-Encoding']);
  expect(await typeFor('application/json, text/plain, */*')).toEqual(['application/json', 'Accept, Accept-Encoding']);
  expect(await typeFor('text/plain', metrics)).toEqual(['application/json', 'Accept-Encoding']);
});

test.each(['total_asset', 'status', 'block', 'block.number', 'minipools', 'constructor'])(
  '%s is not a figure, but a 404 that lists the figures',
  async (name) => {
    const { status, body } = await figure(name);
    expect([status, body.code]).toEqual([404, 'METRIC_NOT_FOUND']);
    for (const known of METRIC_NAMES) expect(body.detail).toContain(known);
  },
);

test('a figure without a value is a 404 of its own, one whose source fails a 503, and one that is 0 neither', async () => {
  jest.spyOn(protocolDataset, 'read').mockResolvedValue({ ...EMPTY_PROTOCOL, pool: { avaxPerGgAvax: 10n ** 18n } });
  // The yields need a past rate, and no provider answers.
  const alone = startOnDevnet({ RPC_URLS: 'http://127.0.0.1:9', CACHE_TABLE: 'no-cache', HISTORY_TABLE: 'no-history' });
  const ask = async (name: string) => {
    const { status, body } = await sendTo(metricsName, alone, { params: { name } });
    return [status, body.code ?? body];
  };
  for (const name of ['tvl_usd', 'rewards_cycle.number']) expect(await ask(name)).toEqual([404, 'NO_VALUE']);
  expect(await ask('ggavax_apy')).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  expect(await ask('staker_count')).toEqual([200, 0]);
  jest.restoreAllMocks();
});
