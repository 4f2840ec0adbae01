import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { currentDataset } from '../../lib/protocol/protocol.ts';
import type { Limits } from '../../lib/runtime/context.ts';
import { DAY } from '../../lib/values/durations.ts';
import { chainForAllTests } from '../functions/devnet.ts';
import { startDataApi } from '../lib/validators/data-apis.ts';
import { network } from '../lib/validators/network.ts';
import { clockAt } from '../support/clock.ts';
import { sendTo } from '../support/events.ts';
import {
  alwaysAnswers,
  answersHalfABatch,
  answersRpcError,
  answersWith,
  balances,
  hangs,
  lagsBehind,
  proxyTo,
  type RpcProvider,
  refuses,
  servesChain,
} from '../support/rpc-providers.ts';
import { IMPATIENT, startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { makeStale, tablesForEachTest } from '../support/tables.ts';

const GOOD = process.env.DEVNET_RPC_URL as string;

tablesForEachTest();
const keep = stoppedAfterEach();
const chain = chainForAllTests();
/** The head, and its time in unix seconds. */
let head: number;
let headTime: number;
/** Time in ms by which the containers' clock is ahead of the head. */
let ahead = 0;
const clock = clockAt(() => headTime * 1_000 + ahead);

beforeAll(async () => {
  ({ number: head, timestamp: headTime } = await chain.block('latest'));
});

// Each test has tables of its own, with only the protocol's addresses and pools. Time stands still except for timeouts,
// so that no penalty ends and nothing expires because this machine is slow.
beforeEach(async () => {
  ahead = 0;
  await readCachedPools(container([GOOD]).opened);
});

function container(rpcUrls: string[], env: Record<string, string> = {}, limits?: Limits): TestRuntime {
  return startOnDevnet({ RPC_URLS: rpcUrls.join(','), MAX_HEAD_AGE_SECONDS: '3600', ...env }, limits, { clock });
}

/** A container that does not wait longer than the service does. */
const impatient = (...rpcUrls: string[]) => container(rpcUrls, {}, IMPATIENT);

function get(file: string, runtime: TestRuntime, params?: Record<string, string>) {
  return sendTo(ENDPOINTS[file] as Endpoint, runtime, { ...(params && { params }) });
}

/** Neither String nor a template can make a text of it. */
const NO_TEXT = { toString: null };
const word = (number: number) => number.toString(16).padStart(64, '0');
const toLater = (result: string) => result.replaceAll(word(headTime), word(headTime + 999 * DAY));
/** The words of a Multicall3 result's `success` and the offset of its data. */
const SUCCESS = word(1) + word(0x40);
const FAILURE = word(0) + word(0x40);
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const fails = (error: object) => answersWith(GOOD, () => ({ error }));
const changes = (change: (result: string) => string) => answersWith(GOOD, (good) => ({ result: change(good) }));

describe('when the first provider', () => {
  test.each<[string, () => Promise<RpcProvider>, string]>([
    ['refuses connections', refuses, 'network'],
    ['hangs', hangs, 'timeout'],
    ['answers 429', () => alwaysAnswers(429, 'slow down'), 'http_429'],
    ['answers 500', () => alwaysAnswers(500, '{}'), 'http_500'],
    ['answers HTML', () => alwaysAnswers(200, '<html>'), 'not_json'],
    ['answers JSON-RPC -32005', () => answersRpcError(GOOD, -32005, 'limit exceeded'), 'rpc_-32005'],
    ['says that the call reverted', () => answersRpcError(GOOD, 3, 'execution reverted'), 'reverted'],
    ['lags hours behind', () => lagsBehind(GOOD, 3), 'lagging'],
    ['answers half a batch', () => answersHalfABatch(GOOD), 'incomplete'],
    ['serves another chain', () => servesChain(GOOD, 1), 'wrong_chain'],
    ['sends errors of no known form', () => fails({ code: [], message: {}, data: NO_TEXT }), 'rpc_unknown'],
    ['sends reverts of no known form', () => fails({ code: 3, message: NO_TEXT, data: NO_TEXT }), 'reverted'],
    ['sends arrays 50,000 deep', () => alwaysAnswers(200, `[{"id":0,"error":{"data":${DEEP}}}]`), 'rpc_unknown'],
    ['sends 17 MB', () => alwaysAnswers(200, ' '.repeat(17e6)), 'oversized'],
    ['sends nested brackets', () => alwaysAnswers(200, '['.repeat(3e6) + ']'.repeat(3e6)), 'incomplete'],
    ['sends objects', () => answersWith(GOOD, () => ({ result: NO_TEXT })), 'malformed'],
    ['fails all calls in a batch', () => changes((result) => result.replaceAll(SUCCESS, FAILURE)), 'malformed'],
    ['sends hex with 0X', () => changes((result) => result.replace('0x', '0X')), 'malformed'],
    ['sends digits that are none', () => changes((result) => `${result.slice(0, -1)}z`), 'malformed'],
    ['is years ahead', () => changes(toLater), 'malformed'],
  ])('%s, the second one answers, and is tried first from then on', async (_, start, outcome) => {
    const bad = keep(await start());
    const good = keep(await proxyTo(GOOD));
    const runtime = outcome === 'timeout' ? impatient(bad.url, good.url) : container([bad.url, good.url]);
    const first = await get('prices/dex', runtime, { dex: 'pangolin' });
    expect(first.status).toBe(200);
    // A large request is late once another provider has answered.
    const others = runtime.telemetry.attempts.filter((attempt) => attempt !== `rpc-1 ${outcome}`);
    expect([runtime.telemetry.attempts.length - others.length, new Set(others)]).toEqual([1, new Set(['rpc-2 ok'])]);

    const asked = bad.requests.length;
    expect((await get('prices/dex', runtime, { dex: 'uniswap' })).status).toBe(200);
    expect(bad.requests.length).toBe(asked);
    const later = runtime.telemetry.attempts.slice(1 + others.length);
    expect(new Set(later)).toEqual(new Set(['rpc-2 ok']));
  });
});

describe('a head that not every node has', () => {
  /** The status and cache state of an answer whose values are read in two requests. */
  async function cold(...providers: RpcProvider[]) {
    ahead += 90_000;
    const runtime = container(
      providers.map(({ url }) => url),
      { MAX_HEAD_AGE_SECONDS: '0' },
    );
    const endpoint = ENDPOINTS['withdrawals/estimate'] as Endpoint;
    const { status, headers } = await sendTo(endpoint, runtime, { query: { ggAvax: '5' } });
    await Promise.all(providers.map((provider) => provider.stop()));
    return [status, headers['X-Cache']];
  }
  const good = () => balances(GOOD, head, () => ({ head, has: (block) => block > head - 32 && block <= head }));

  test('is the failure of the provider that names it, and lacks any states then', async () => {
    const named = fc.integer({ min: -50, max: 5 });
    await fc.assert(
      fc.asyncProperty(named, fc.integer({ min: -60, max: 5 }), fc.boolean(), async (by, lacked, isOlder) => {
        const has = (block: number) => (isOlder ? block > head + lacked : block < head + lacked);
        const bad = await balances(GOOD, head, () => ({ head: head + by, has }));
        expect(await cold(bad, await good())).toEqual([200, 'miss']);
      }),
      { numRuns: 12 },
    );
  });

  test.each([-1, -40])('is not needed by values that depend on it: a provider whose states end at %d', async (by) => {
    await get('gg-avax', container([GOOD]));
    const has = (block: number) => block <= head + by;
    const behind = keep(await balances(GOOD, head, () => ({ head: head + by, has })));
    const runtime = container([behind.url], { MAX_HEAD_AGE_SECONDS: '0' });
    const { status, body } = await get('withdrawals', runtime);
    expect([status, (body as { block: { number: number } }).block.number]).toEqual([200, head + by]);
    expect((await get('gg-avax', runtime)).headers['X-Block-Number']).toBe(String(head));
  });

  test('is read behind one address, too, whichever of its nodes answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }), async (isBehind) => {
        let turn = 0;
        const one = await balances(GOOD, head, () => {
          const own = isBehind[turn++ % isBehind.length] ? head - 1 : head;
          return { head: own, has: (block) => block > head - 32 && block <= own };
        });
        expect(await cold(one)).toEqual([200, 'miss']);
      }),
      { numRuns: 12, examples: [[[false, true, true, false, true, true]]] },
    );
  });
});

test('if the clock is late by a day, a validation that began meanwhile is listed', async () => {
  const validators = network(2).map((validator) => ({ ...validator, startTime: headTime }));
  const { url } = keep(await startDataApi(validators));
  ahead = -DAY * 1_000;
  const { body } = await get('validators', container([GOOD], { DATA_API_URL: url }));
  expect(body).toMatchObject({ total: 2, asOf: headTime });
});

test('if the first provider has smaller limits, the second one answers at once', async () => {
  const small = keep(await answersRpcError(GOOD, -32_000, 'out of gas'));
  const runtime = container([small.url, GOOD]);
  for (const dex of ['pangolin', 'uniswap']) expect((await get('prices/dex', runtime, { dex })).status).toBe(200);
  expect(runtime.telemetry.attempts).toEqual(['rpc-1 too_large', 'rpc-2 ok', 'rpc-1 too_large', 'rpc-2 ok']);
});

/** A provider that sends these fields in its answers to a method. */
const failsAt = (fields: object, ...methods: string[]) =>
  proxyTo(GOOD, (answers, requests) =>
    answers.map((good, index) => {
      const { id, method } = requests[index] as { id: number; method: string };
      return methods.includes(method) ? { jsonrpc: '2.0', id, ...fields } : good;
    }),
  );

test.each<[string, object, string]>([
  ['does not offer', { error: { code: -32_601, message: 'no such method' } }, 'no_method'],
  ['answers nonsense to', { result: 5 }, 'malformed'],
])('a provider that %s reads of storage is followed by the next one', async (_, fields, outcome) => {
  const bad = keep(await failsAt(fields, 'eth_getStorageAt'));
  const runtime = container([bad.url, GOOD]);
  const { status, body } = await get('contracts', runtime);
  expect([status, body]).toEqual([200, (await get('contracts', container([GOOD]))).body]);
  expect(runtime.telemetry.attempts).toContain(`rpc-1 ${outcome}`);
});

test('if the first provider lacks a block, the second one answers, and the first one is still tried first', async () => {
  const bad = keep(await failsAt({ result: null }, 'eth_call', 'eth_getBlockByNumber'));
  const { opened, telemetry } = container([bad.url, GOOD]);
  const head = await opened.chain.head();
  expect(telemetry.attempts).toEqual(['rpc-1 no_state', 'rpc-2 ok']);
  const state = await opened.chain.at(head.number);
  expect(await state.block()).toEqual(head);
  expect(new Set(telemetry.attempts)).toEqual(new Set(['rpc-1 no_state', 'rpc-2 ok']));
  expect(telemetry.attempts.at(-2)).toBe('rpc-1 no_state');
});

describe('when all providers are down', () => {
  let down: RpcProvider[];
  beforeEach(async () => {
    down = [keep(await refuses()), keep(await alwaysAnswers(502, 'bad gateway'))];
  });

  test('and nothing is cached, the response is a 503 with Retry-After and CORS headers, and health is down', async () => {
    const runtime = container(
      down.map(({ url }) => url),
      { CACHE_TABLE: 'history' },
    );
    const { status, headers, body } = await get('rewards/by-stake', runtime, { ggpStaked: '1', avaxStaked: '1' });
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', error: 'UPSTREAM_UNAVAILABLE', status: 503 });
    expect(headers).toMatchObject({
      'Retry-After': '5',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Content-Type': 'application/problem+json',
    });
    const health = await get('health', runtime);
    expect(health.status).toBe(503);
    expect(health.body).toMatchObject({
      status: 'down',
      rpc: [
        { name: 'rpc-1', ok: false },
        { name: 'rpc-2', ok: false },
      ],
    });
    expect(runtime.telemetry.counts.filter((name) => name === 'CacheError')).toHaveLength(2);
    expect(JSON.stringify([body, health.body, runtime.telemetry.lines])).not.toMatch(/127\.0\.0\.1|localhost/);
  });

  test('a stale item is served with its growing age, and the source is read once', async () => {
    await get('gg-avax', container([GOOD]));
    await makeStale(`local#devnet#${currentDataset.name}`, 600, clock.now());
    const runtime = container(down.map(({ url }) => url));
    const ages: number[] = [];
    for (let request = 0; request < 3; request++) {
      const { status, headers } = await get('gg-avax', runtime);
      expect(status).toBe(200);
      expect(headers['X-Cache']).toBe('stale');
      ages.push(Number(headers.Age));
      ahead += 1_000;
    }
    expect(ages).toEqual([600, 601, 602]);
    expect(down[1]?.requests.length).toBe(1);
  });

  test('only the first request for a stale item waits for a source that hangs', async () => {
    await get('gg-avax', container([GOOD]));
    await makeStale(`local#devnet#${currentDataset.name}`, 600, clock.now());
    const hanging = [keep(await hangs()), keep(await hangs())];
    const runtime = impatient(...hanging.map(({ url }) => url));
    for (let request = 0; request < 2; request++) {
      expect((await get('gg-avax', runtime)).headers['X-Cache']).toBe('stale');
      expect(runtime.telemetry.attempts).toEqual(['rpc-1 timeout', 'rpc-2 timeout']);
    }
  });
});
