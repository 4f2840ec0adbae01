import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { matchPath, proxyEvent } from '../../infra/local/event.ts';
import { ESTIMATED, stateParts } from '../../infra/tools/archive/state-parts.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { compareEvents, compareState } from '../../lib/archive/compare-chain.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { freeze } from '../../lib/archive/freeze.ts';
import { importArchive } from '../../lib/archive/import.ts';
import { subjectsIn } from '../../lib/archive/subjects.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { cacheOf } from '../../lib/cache/table.ts';
import { Chain, chainOf, type ProtocolState } from '../../lib/chain/chain.ts';
import { createRpc } from '../../lib/chain/rpc.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';
import { fillTables, startArchivist } from '../lib/archive/sample.ts';
import { lambdaContext } from '../support/events.ts';
import {
  recordAllDays,
  recordCycles,
  recordLedger,
  recordValidatorPast,
  recordYieldHours,
} from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { startTables, tablesForAllTests } from '../support/tables.ts';

/**
 * An archive is all that the service needs: a service whose tables are imported from it, and one that is frozen, answer
 * byte for byte as the one that was exported.
 */

const REQUESTS = 500;
/** Each service has a state, and archives, of its own. */
const OF_THE_SERVICE = ['/health', '/archive'];

tablesForAllTests();

let folder: string;
let archive: string;
let block: number;
let live: Answers;
let requests: string[];

type Answers = Map<string, Answer>;
type Answer = Awaited<ReturnType<typeof answerOf>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  archive = join(folder, 'archive');
  const runtime = startOnDevnet();
  await recordLedger();
  await recordCycles();
  await recordAllDays();
  // A frozen service cannot search the chain for what no hour has.
  await recordYieldHours();
  await recordValidatorPast();
  const missing: string[] = [];
  const moreParts = stateParts(runtime.opened, (more) => missing.push(...more));
  const manifest = await exportArchive(runtime.opened, archive, 'c0ffee', { moreParts });
  expect(missing).toEqual([]);
  block = manifest.block.number;
  // A range without an end ends now, which is the block's time for a frozen service.
  jest.spyOn(Date, 'now').mockReturnValue(manifest.block.timestamp * 1_000);
  requests = await variedRequests();
  live = await answersOf(pinned(), requests);
});
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** A live service that reads the archive's block, however far the devnet goes on. */
function pinned(): TestRuntime {
  const runtime = startOnDevnet();
  chainOf.replace(runtime.opened, new ChainAtBlock(runtime));
  return runtime;
}

class ChainAtBlock extends Chain {
  constructor({ opened }: TestRuntime) {
    super(opened.config.network, createRpc(opened), cacheOf(opened));
  }

  override latest(): Promise<ProtocolState> {
    return this.at(block);
  }
}

/** Always the same ones: the example of each endpoint, then others drawn from all that can be asked. */
async function variedRequests(): Promise<string[]> {
  const { addresses, nodes } = await subjectsIn(archive, readManifest(archive).files);
  const now = readManifest(archive).block.timestamp;
  const times = [`from=${now - 20 * 86_400}`, `to=${now - 9 * 86_400}`, `from=${now - 86_400}`, ''];
  const pages = ['limit=3', 'limit=7&offset=2', 'offset=5', 'limit=1', ''];
  const combined = (...lists: string[][]) =>
    lists.reduce((all, list) => all.flatMap((some) => list.map((one) => [some, one].filter(Boolean).join('&'))), ['']);
  const forms = ['', 'format=csv'];
  const all = [
    ...addresses.flatMap((address) => [
      ...['ggAvax', 'stakers', 'rewards', 'withdrawals'].map((path) => `/${path}/${address}`),
      ...forms.map((query) => `/rewards/${address}/cycles?${query}`),
      ...combined(times, ['limit=2', ''], forms).flatMap((query) => [
        `/ggAvax/${address}/rewards?${query}`,
        `/ggAvax/${address}/activity?${query}`,
        `/stakers/${address}/activity?${query}`,
      ]),
    ]),
    ...nodes.flatMap((node) => [
      ...['minipools', 'validators'].map((path) => `/${path}/${node}`),
      ...combined(times, forms).map((query) => `/minipools/${node}/activity?${query}`),
      ...combined(['interval=1d', 'interval=1h', ''], times, forms).map(
        (query) => `/validators/${node}/history?${query}`,
      ),
    ]),
    ...['/ggAvax/history', '/metrics/history', '/metrics/apy/history', '/prices/history', '/prices/tj/history'].flatMap(
      (path) =>
        combined(['interval=1d', 'interval=1h', ''], times, ['limit=4', ''], forms).map((query) => `${path}?${query}`),
    ),
    ...combined(['sort=ggpStaked', 'eligible=false', 'sort=avaxStaked&order=asc', ''], pages, forms).map(
      (query) => `/stakers?${query}`,
    ),
    ...combined(['status=staking', 'status=finished,canceled', ''], pages, forms).map((query) => `/minipools?${query}`),
    ...combined(['protocol=true', 'sort=uptime', ''], pages, forms).map((query) => `/validators?${query}`),
    ...combined(['type=ggAvaxDeposited', 'type=ggpStaked,priceUpdated', ''], times, ['limit=5', ''], forms).map(
      (query) => `/activity?${query}`,
    ),
    ...ESTIMATED.flatMap((amount) => [
      `/withdrawals/estimate?ggAvax=${amount}`,
      `/withdrawals/estimate?avax=${amount}`,
    ]),
    ...EXCHANGES.map(({ code }) => `/prices/${code}`),
    ...[
      '/rewards/byStake?ggpStaked=1000&avaxStaked=2000',
      '/withdrawals?format=csv',
      '/contracts?format=csv',
      '/rewards/cycles?format=csv',
    ],
  ];
  const examples = Object.values(ENDPOINTS).map(({ exampleRequest }) => exampleRequest as string);
  return [...new Set([...examples, ...drawn(all, REQUESTS)])].filter((url) => !OF_THE_SERVICE.includes(url));
}

/** So many of these, spread over all of them in an order that looks random. */
function drawn<T>(all: readonly T[], count: number): T[] {
  const step = 7_919;
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(index * step) % all.length] as T);
}

async function answersOf(runtime: Runtime, urls: readonly string[]): Promise<Answers> {
  const answers: Answers = new Map();
  for (const url of urls) answers.set(url, await answerOf(runtime, url));
  return answers;
}

/** Headers that name the time or the place of an answer, and what a frozen service adds. */
const VARYING = ['Age', 'X-Request-Id', 'X-Cache', 'Cache-Status', 'Server-Timing', 'X-Frozen', 'Link'];

async function answerOf(runtime: Runtime, url: string) {
  const endpoint = endpointOf(url);
  const event = proxyEvent(endpoint.path, { method: 'GET', url, headers: {} });
  const { statusCode, headers, body } = await createHandler(endpoint, runtime)(event, lambdaContext());
  // The index of validators is read again: the body says when, and its ETag follows.
  const isOfIndex = url.startsWith('/validators') && !url.includes('/history');
  const varying = isOfIndex ? [...VARYING, 'ETag'] : VARYING;
  const kept = Object.entries(headers ?? {}).filter(([name]) => !varying.includes(name));
  return {
    status: statusCode,
    headers: Object.fromEntries(kept),
    body: body.replace(/"(requestId|asOf)":("[^"]+"|\d+)/, '"$1":0'),
  };
}

function endpointOf(url: string): Endpoint {
  const [path = ''] = url.split('?');
  const matching = Object.values(ENDPOINTS).filter((endpoint) => matchPath(endpoint.path, path));
  return matching.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0] as Endpoint;
}

/** Those whose answers differ, each with both. */
function differences(answers: Answers) {
  return [...live].flatMap(([url, answer]) => {
    const other = answers.get(url);
    return JSON.stringify(other) === JSON.stringify(answer) ? [] : [{ url, live: answer.body, other: other?.body }];
  });
}

test('the live service has answered, and what it answers varies', () => {
  expect(live.size).toBeGreaterThan(REQUESTS);
  const ok = [...live.values()].filter(({ status }) => status === 200);
  expect(ok.length).toBeGreaterThan(0.8 * live.size);
  expect(new Set(ok.map(({ body }) => body)).size).toBeGreaterThan(300);
});

describe('a comparison with the chain', () => {
  const compared = () => ({ folder: archive, manifest: readManifest(archive) });

  test('finds events and calls as they are', async () => {
    expect(await compareEvents(pinned().opened, compared())).toBeGreaterThanOrEqual(20);
    expect(await compareState(pinned().opened, compared())).toBeGreaterThanOrEqual(100);
  });

  test('finds a state that is of another block', async () => {
    const { folder, manifest } = compared();
    const other = { folder, manifest: { ...manifest, block: { ...manifest.block, number: block - 300 } } };
    await expect(compareState(pinned().opened, other)).rejects.toThrow(
      /^state: the contract 0x\w{40} answers 0x\w{8} at block \d+ otherwise than the archive says; do not use this archive$/,
    );
  });

  test('finds events that are not on the chain', async () => {
    const tables = await startTables();
    const archivist = startArchivist();
    await fillTables(archivist);
    const other = join(folder, 'other');
    const manifest = await exportArchive(archivist.opened, other, 'c0ffee');
    await expect(compareEvents(pinned().opened, { folder: other, manifest })).rejects.toThrow(
      /^events: block \d+, log \d+, of transaction 0x\w{64}, is not on the chain as the archive says; do not use this archive$/,
    );
    await tables.stop();
  });
});

test('a service whose empty tables are filled from the archive answers the same', async () => {
  const tables = await startTables();
  const runtime = pinned();
  await importArchive(runtime.opened, archive, readManifest(archive));
  expect(differences(await answersOf(runtime, requests))).toEqual([]);
  await tables.stop();
});

describe('a frozen service', () => {
  let runtime: Runtime;

  beforeAll(async () => {
    const { opened, telemetry } = startOnDevnet({ RPC_URLS: 'http://127.0.0.1:1' });
    const { context } = await freeze(opened.config, telemetry, { folder: archive, manifest: readManifest(archive) });
    runtime = { telemetry, context: async () => context };
  });

  test('answers the same, without a chain, an index or tables', async () => {
    expect(differences(await answersOf(runtime, requests))).toEqual([]);
  });

  test('says since when it is frozen, in a header and in /health', async () => {
    const event = proxyEvent('/stakers', { method: 'GET', url: '/stakers', headers: {} });
    const { headers } = await createHandler(ENDPOINTS.stakers as Endpoint, runtime)(event, lambdaContext());
    const { timestamp } = readManifest(archive).block;
    expect(headers?.['X-Frozen']).toBe(`block=${block}, timestamp=${timestamp}`);
    const { status, body } = await answerOf(runtime, '/health');
    expect({ status, ...JSON.parse(body) }).toMatchObject({
      status: 'ok',
      block,
      rpc: [],
      frozen: { number: block, timestamp },
    });
  });

  test.each([
    ['an address that never did anything', '/ggAvax/0x000000000000000000000000000000000000dead'],
    ['what an exchange would pay for any other amount', '/withdrawals/estimate?ggAvax=12345.678'],
  ])('says that the archive does not have %s', async (_, url) => {
    const { status, body } = await answerOf(runtime, url);
    expect({ status, ...JSON.parse(body) }).toMatchObject({
      status: 404,
      code: 'NOT_ARCHIVED',
      detail: expect.stringContaining(`(block ${block}), which does not hold this`),
    });
  });
});
