import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { health } from '../../functions/health.ts';
import { startCountingProxy } from '../../infra/bench/counting-proxy.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import type { Doubts } from '../../lib/ledger/mismatch.ts';
import type { Limits } from '../../lib/runtime/context.ts';
import { VERSION } from '../../lib/runtime/version.ts';
import { clockAt } from '../support/clock.ts';
import { send, sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { lagsBehind, proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { deadUrl, stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { chainForAllTests } from './devnet.ts';

/** Health of the service, with one response for all checks within five seconds. */

const DEVNET = process.env.DEVNET_RPC_URL as string;

tablesForEachTest();
const keep = stoppedAfterEach();
const chain = chainForAllTests();
let head: { number: number; timestamp: number };
/** Time at which the protocol's GGP price was set, in Unix seconds. */
let updatedAt: number;

beforeAll(async () => {
  head = await chain.block('latest');
  updatedAt = Number((await chain.readAt(await chain.registered('Oracle'), 'getGGPPriceInAVAX'))[1]);
});
beforeEach(() => {
  setNow(head.timestamp + 100);
});

/** The containers' time, unix seconds. */
let now: number;
const setNow = (time: number) => {
  now = time;
};
const clock = clockAt(() => now * 1_000 + 999);
const container = (env?: Record<string, string>, limits?: Limits) => startOnDevnet(env, limits, { clock });

const check = (...of: Parameters<typeof container>) => sendTo(health, container(...of));
const behind = async (blocks: number) => keep(await lagsBehind(DEVNET, blocks)).url;

describe('the service', () => {
  test('is ok if all its sources answer, and says how far each provider lags behind the best one', async () => {
    const { status, body } = await check({ RPC_URLS: [await behind(3), DEVNET, await behind(1)].join() });
    expect(status).toBe(200);
    const latencyMs = expect.any(Number);
    expect(body).toEqual({
      status: 'ok',
      version: VERSION,
      network: 'devnet',
      chainId: 43_112,
      blockNumber: head.number,
      headAgeSeconds: 100,
      rpc: [
        { name: 'rpc-1', ok: true, latencyMs, headLag: 3 },
        { name: 'rpc-2', ok: true, latencyMs, headLag: 0 },
        { name: 'rpc-3', ok: true, latencyMs, headLag: 1 },
      ],
      cache: { ok: true, latencyMs },
      dataApi: { ok: true, latencyMs },
      oracle: { ageSeconds: head.timestamp + 100 - updatedAt },
    });
    for (const probe of [...body.rpc, body.cache, body.dataApi]) {
      expect(probe.latencyMs).toBeGreaterThan(0);
      expect(probe.latencyMs).toBeLessThan(10_000);
      expect(String(probe.latencyMs)).toMatch(/^\d+(\.\d)?$/);
    }
  });

  test('reports an age of 0 if its clock is behind that of the chain', async () => {
    setNow(updatedAt - 1);
    expect((await check()).body).toMatchObject({ headAgeSeconds: 0, oracle: { ageSeconds: 0 } });
  });

  test.each([
    ['one provider, which has no lag then', 'RPC_URLS', (dead: string) => `${dead},${DEVNET}`],
    ['its cache table', 'CACHE_TABLE', () => 'no-such-table'],
    ['the Data API', 'DATA_API_URL', (dead: string) => dead],
  ])('is degraded without %s', async (_, name, value) => {
    const { status, body } = await check({ [name]: value(await deadUrl()) });
    const cache = { ok: name !== 'CACHE_TABLE' };
    const expected = { status: 'degraded', blockNumber: head.number, cache, dataApi: { ok: name !== 'DATA_API_URL' } };
    expect([status, body]).toMatchObject([200, expected]);
    if (name === 'RPC_URLS') expect(body.rpc[0]).toEqual({ name: 'rpc-1', ok: false, latencyMs: expect.any(Number) });
    expect(body.rpc[1]).toMatchObject({ ok: true, headLag: 0 });
  });

  test('is degraded while providers have blocks, but no states', async () => {
    const refused = { error: { code: -32_000, message: 'busy' } };
    const busy = await proxyTo(DEVNET, (answers, requests) =>
      answers.map((answer, place) =>
        requests[place]?.method === 'eth_call' ? { ...requests[place], ...refused } : answer,
      ),
    );
    const { status, body } = await check({ RPC_URLS: keep(busy).url });
    expect([status, body.status, body.rpc[0]?.ok, body.oracle]).toEqual([200, 'degraded', true, undefined]);
  });

  test('names providers of one host, and counts one that is named twice once', async () => {
    const RPC_URLS = [DEVNET, `${DEVNET}/key`, `${DEVNET.toUpperCase()}/#x`, await behind(0)].join();
    const { body } = await check({ RPC_URLS });
    expect(body.rpc.map(({ sameHostAs }) => sameHostAs)).toEqual([undefined, 'rpc-1', undefined]);
  });

  test.each([
    [99, 'degraded'],
    [100, 'ok'],
    [0, 'ok'],
  ])('whose newest block is 100 seconds old, with a maximum age of %i, is %s', async (seconds, judged) => {
    const { body } = await check({ MAX_HEAD_AGE_SECONDS: String(seconds) });
    expect(body).toMatchObject({
      status: judged,
      headAgeSeconds: 100,
      rpc: Array(2).fill(expect.objectContaining({ ok: true, headLag: 0 })),
    });
  });
});

const DAY = 86_400;
const differing = { contract: 'Staking', view: 'getGGPStake', ledger: '1', block: 3 };
test.each<[string, (time: number) => Partial<Doubts>, string]>([
  ['was never compared with the contracts', () => ({}), 'degraded'],
  ['was compared three days ago', (time) => ({ comparedAt: time - 3 * DAY }), 'ok'],
  ['was compared more than three days ago', (time) => ({ comparedAt: time - 3 * DAY - 1 }), 'degraded'],
  ['was compared by a clock a year ahead', (time) => ({ comparedAt: time + 365 * DAY }), 'degraded'],
  ['has a mismatch', (time) => ({ comparedAt: time, mismatches: [{ ...differing, chain: '2' }] }), 'degraded'],
  ['has a figure that providers read differently', (time) => ({ comparedAt: time, mismatches: [differing] }), 'ok'],
  [
    'lacks a share',
    (time) => ({ comparedAt: time, refused: [{ cycle: 1, block: 2, providers: ['rpc-1'] }] }),
    'degraded',
  ],
])('a complete ledger that %s is named', async (_, doubtsAt, judged) => {
  await recordLedger();
  const { opened } = container();
  const own = doubtsAt(now);
  await opened.ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, ...own }));
  const { body } = await check();
  const named = ({ block, ...rest }: { block?: number }) => ({ ...rest, blockNumber: block });
  expect([body.status, body.ledger]).toEqual([
    judged,
    {
      ...{ toBlock: head.number, sources: 2 },
      ...{ ...own, ...(own.mismatches && { mismatches: own.mismatches.map(named) }) },
      ...(own.refused && { refused: own.refused.map(named) }),
    },
  ]);
});

test('twenty checks read the chain once, whichever containers they reach', async () => {
  const counted = await startCountingProxy(DEVNET);
  const handlers = [1, 2].map(() => createHandler(health, container({ RPC_URLS: counted.url })));
  await send(handlers[0] as (typeof handlers)[number]);
  const once = counted.requests;
  const checks = await Promise.all(Array.from({ length: 10 }, () => handlers.map((handler) => send(handler))).flat());
  for (const { status, headers } of checks) {
    expect([status, headers['X-Cache'], headers['Cache-Control']]).toEqual([200, 'hit', 'public, max-age=5']);
    expect(headers['X-Block-Number']).toBeUndefined();
  }
  expect(counted.requests).toBe(once);
  await counted.stop();
});

test('without any provider the service is down: a 503 with its body, even for a client that already has that body', async () => {
  const handler = createHandler(health, container({ RPC_URLS: await deadUrl() }));
  const { status, headers, body } = await send(handler);
  expect([status, body.status]).toEqual([503, 'down']);
  expect(body.rpc).toEqual([{ name: 'rpc-1', ok: false, latencyMs: expect.any(Number) }]);
  for (const name of ['blockNumber', 'headAgeSeconds', 'oracle']) expect(body).not.toHaveProperty(name);
  const again = await send(handler, { headers: { 'If-None-Match': headers.ETag as string } });
  expect([again.status, again.body]).toEqual([503, body]);
});
