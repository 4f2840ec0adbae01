import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { type System, startSystem } from '../../infra/local/system.ts';
import { edgeRequestCode } from '../../infra/stack/edge-function.ts';
import { proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { recordingTelemetry } from '../support/telemetry.ts';
import { type SharedCache, startVarnish } from './varnish.ts';

/**
 * The service behind a shared cache, in real time: CloudFront's function (infra/stack/edge-request.js) normalises
 * requests, and Varnish caches what the headers allow.
 */

jest.setTimeout(240_000);

const MS = 60_000;
const REQUESTS = 10_000;
/** The example requests of all endpoints whose answers may be cached, and pages of a list. */
const EXAMPLES = Object.values(ENDPOINTS)
  .filter(({ freshSeconds }) => freshSeconds > 0)
  .map(({ exampleRequest }) => exampleRequest);
const URLS = [...EXAMPLES, ...Array.from({ length: 30 }, (_, page) => `/minipools?limit=1&offset=${page}`)].slice(
  0,
  30,
);
/** Requests for 404s. Shared caches may keep that of an entity for 15 seconds, that of a path for a minute. */
const NO_STAKER = '/stakers/0x00000000000000000000000000000000000000aa';
const NO_PATH = '/there/is/no/such/path';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A URL with its parameters sorted, as the edge sorts them. */
function sorted(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://edge');
  searchParams.sort();
  return searchParams.size ? `${pathname}?${searchParams}` : pathname;
}

/** CloudFront's function. */
const atEdge = runInNewContext(`${edgeRequestCode()}; handler`) as (event: object) => {
  uri: string;
  querystring: Record<string, { value: string }>;
  headers: Record<string, { value: string }>;
};
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
afterAll(() => agent.destroy());

/** Sends a request to the cache, after CloudFront's function. */
async function ask(cache: SharedCache, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [uri = '', search] = url.split('?');
  const parameters = [...new URLSearchParams(search)].map(([name, value]) => [
    name,
    { value: encodeURIComponent(value) },
  ]);
  const passed = atEdge({
    context: {},
    request: {
      method: 'GET',
      uri,
      querystring: Object.fromEntries(parameters),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    },
  });
  const query = Object.entries(passed.querystring)
    .map(([name, { value }]) => `${name}=${value}`)
    .join('&');
  return new Promise((resolve, reject) => {
    const sent = request(cache.url + passed.uri + (query && `?${query}`), {
      agent,
      headers: Object.fromEntries(Object.entries(passed.headers).map(([name, { value }]) => [name, value])),
    });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      const body = await buffer(response).catch(reject);
      if (body)
        resolve({ status: response.statusCode as number, headers: response.headers as Answer['headers'], body });
    });
    sent.end();
  });
}

describe('behind a shared cache', () => {
  let chainIsDown = false;
  let chain: RpcProvider;
  let system: System;
  let cache: SharedCache;
  /** The cache states of the answers to requests that have reached the service, by URL. */
  const answered = new Map<string, string[]>();
  const answersTo = (url: string) => answered.get(sorted(url)) ?? [];
  const countOf = (url: string) => answersTo(url).length;

  beforeAll(async () => {
    chain = await proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
      chainIsDown
        ? requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'down' } }))
        : answers,
    );
    const env = {
      PORT: '0',
      RPC_URLS: chain.url,
      P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL,
      DATA_API_URL: process.env.DEVNET_DATA_API_URL,
      MAX_HEAD_AGE_SECONDS: '0',
    };
    const onResponse = ({ url, cache }: { url: string; cache: string }) =>
      answered.set(sorted(url), [...answersTo(url), cache]);
    system = await startSystem({ env, telemetry: recordingTelemetry(), onStep: () => {}, onResponse });
    cache = await startVarnish(system.url.replace('localhost', '127.0.0.1'));
  });
  afterAll(async () => {
    await cache?.stop();
    await system?.stop();
    await chain?.stop();
  });

  test('each client gets the format and compression that it asks for', async () => {
    const url = '/validators?limit=50';
    const forms: Record<string, string>[] = [
      { accept: 'application/json', 'accept-encoding': 'gzip' },
      { accept: 'application/json', 'accept-encoding': 'identity' },
      { accept: 'text/csv', 'accept-encoding': 'br, gzip;q=0.5' },
      { accept: 'text/csv', 'accept-encoding': 'gzip;q=0' },
      { accept: '*/*' },
    ];
    const tags = new Set<string | undefined>();
    for (const headers of [...forms, ...forms, ...forms.toReversed()]) {
      const answer = await ask(cache, url, headers);
      const gzip = /gzip(?!;q=0$)/.test(headers['accept-encoding'] ?? '');
      expect(answer.headers['content-encoding']).toBe(gzip ? 'gzip' : undefined);
      const text = (gzip ? gunzipSync(answer.body) : answer.body).toString();
      expect(text.startsWith(headers.accept === 'text/csv' ? 'nodeID,' : '{"validators":[')).toBe(true);
      tags.add(answer.headers.etag);
    }
    expect(tags.size).toBe(4);
    // The last form has the same key as the second.
    expect(countOf('/validators?limit=50')).toBe(4);
  });

  /** Sends requests at an even rate to these URLs in turn, each with another parameter of a link tracker. */
  async function load(urls: readonly string[], requests: number, ms: number) {
    const started = performance.now();
    const answers = new Map<string, Promise<Answer>[]>(urls.map((url) => [url, []]));
    for (let index = 0; index < requests; index++) {
      const early = started + (index * ms) / requests - performance.now();
      // On a busy machine, several may be due at once.
      if (early > 0) await wait(early);
      const url = urls[index % urls.length] as string;
      const accept = index % 2 ? '*/*' : 'application/json, text/plain;q=0.9';
      const tracker = `${url.includes('?') ? '&' : '?'}utm_source=${index}`;
      answers.get(url)?.push(ask(cache, url + tracker, { 'accept-encoding': 'gzip', accept }));
    }
    const settled = [...answers].map(async ([url, list]) => [url, await Promise.all(list)] as const);
    return { answers: new Map(await Promise.all(settled)), seconds: (performance.now() - started) / 1_000 };
  }

  test('under load, the service gets one request per URL and period of freshness', async () => {
    answered.clear();
    const { answers, seconds } = await load([...URLS, NO_STAKER, NO_PATH], REQUESTS, MS);
    const asked = URLS.map((url) => {
      const list = answers.get(url) as Answer[];
      expect(list.filter(({ status }) => status !== 200)).toEqual([]);
      const maxAge = Number(/max-age=(\d+)/.exec(list[0]?.headers['cache-control'] ?? '')?.[1]);
      // Data that several answers share may be refreshed up to a tenth earlier. Requests during a refresh get a stale
      // answer, which is fresh for five seconds.
      const periods = Math.floor(seconds / (0.9 * maxAge)) + 1;
      const stale = answersTo(url).filter((cache) => cache === 'stale').length;
      return { url, maxAge, periods, stale, count: countOf(url) };
    });
    expect(asked.filter(({ count }) => count === 0)).toEqual([]);
    expect(asked.filter(({ periods, stale, count }) => stale >= periods || count > periods + stale)).toEqual([]);
    const [ofStaker, ofPath] = [countOf(NO_STAKER), countOf(NO_PATH)];
    // Requested again after 15 seconds, not earlier.
    expect(new Set(answers.get(NO_STAKER)?.map(({ status }) => status))).toEqual(new Set([404]));
    expect(ofStaker).toBeGreaterThanOrEqual(4);
    expect(ofStaker).toBeLessThanOrEqual(Math.floor(seconds / 15) + 1);
    expect(ofPath).toBeGreaterThanOrEqual(1);
    expect(ofPath).toBeLessThanOrEqual(Math.floor(seconds / 60) + 1);
  });

  test('while the chain is down, the service gets one request per URL in five seconds', async () => {
    chainIsDown = true;
    // Wait until the price has expired.
    await wait(16_000);
    answered.clear();
    const { answers, seconds } = await load(['/prices'], 1_000, 10_000);
    expect(new Set(answers.get('/prices')?.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.get('/prices')?.at(-1)?.headers['x-cache']).toBe('stale');
    expect(countOf('/prices')).toBeLessThanOrEqual(Math.floor(seconds / 5) + 1);
  });

  test('an error is not cached', async () => {
    // This was not requested before, so there is no stale answer.
    const url = '/prices/uniswap';
    for (const count of [1, 2, 3]) {
      expect((await ask(cache, url)).status).toBe(503);
      expect(countOf(url)).toBeGreaterThanOrEqual(count);
    }
    chainIsDown = false;
    // A provider that has failed is not tried again for some seconds.
    for (let tries = 0; tries < 20 && (await ask(cache, url)).status !== 200; tries++) await wait(500);
    expect((await ask(cache, url)).status).toBe(200);
  });

  test('with the service stopped, all its answers can still be served', async () => {
    await system.stop();
    // Wait until 404s and some prices have expired, and their time for serving them while revalidating is over, too.
    await wait(17_000);
    const statuses = await Promise.all(
      URLS.map(async (url) => [url, (await ask(cache, url, { 'accept-encoding': 'gzip' })).status]),
    );
    expect(statuses).toEqual(URLS.map((url) => [url, 200]));
    expect((await ask(cache, NO_STAKER, { 'accept-encoding': 'gzip' })).status).toBe(503);
  });
});
