import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { type LocalServer, listen } from '../../../infra/devnet/listen.ts';
import { type System, startSystem } from '../../../infra/local/system.ts';
import { GATEWAY_ERRORS, gatewayResponse } from '../../../infra/stack/gateway-responses.ts';
import { connectChain } from '../../../infra/verify/chain.ts';
import { urlOf, verifyAnswer } from '../../../infra/verify/endpoint.ts';
import type { Json } from '../../../infra/verify/figure.ts';
import { openService } from '../../../infra/verify/service.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';
import { run } from '../run.ts';
import { alterNumber, LIES, type Lie, numbersDescribed, numbersIn } from './lies.ts';
import { UNCOMPARED } from './uncompared.ts';

/** `npm run verify` against the local service, and against one that gives wrong answers. */

const RPC_URL = process.env.DEVNET_RPC_URL as string;

let system: System;

beforeAll(async () => {
  const env = {
    PORT: '0',
    RPC_URLS: RPC_URL,
    P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL,
    DATA_API_URL: process.env.DEVNET_DATA_API_URL,
    MAX_HEAD_AGE_SECONDS: '0',
  };
  system = await startSystem({ env, telemetry: recordingTelemetry(), onStep: () => {} });
});
afterAll(() => system?.stop());

async function verify(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { code, output } = run('infra/verify/verify.ts', args);
  return { code: await code, lines: output.text.trim().split('\n') };
}

/** Longer than requests are apart: a request that is sent while its connection is being closed fails. */
const KEEP_ALIVE_MS = 60_000;

/** A proxy of the service that has only some of its paths, and changes the answers to GET requests for these. */
async function startLiar(lies: Record<string, Lie>, others: readonly string[] = []): Promise<LocalServer> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    async ({ method = 'GET', url = '/', headers }, response) => {
      const path = url.split('?')[0] as string;
      const { [path]: lie = {} } = method === 'GET' ? lies : {};
      if (lie.isCut) {
        response.destroy();
        return;
      }
      const validator = headers['if-none-match'];
      const answer = await fetch(system.url + url, {
        method,
        headers: { ...(validator && { 'if-none-match': validator }) },
      });
      const text = await answer.text();
      for (const [name, value] of answer.headers) {
        if (!['content-encoding', 'content-length', 'transfer-encoding'].includes(name))
          response.setHeader(name, value);
      }
      for (const [name, value] of Object.entries(lie.headers ?? {})) {
        if (value === undefined) response.removeHeader(name);
        else response.setHeader(name, value);
      }
      const change = path === '/openapi.json' ? withPaths([...Object.keys(lies), ...others]) : lie.body;
      response
        .writeHead(lie.status ?? answer.status)
        .end(change && text ? JSON.stringify(change(JSON.parse(text))) : text);
    },
  );
  return listen(server);
}

/** Leaves only these paths in the OpenAPI document. */
function withPaths(paths: readonly string[]): (document: Json) => Json {
  return (document) => ({
    ...document,
    paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => paths.includes(path))),
  });
}

test('finds no differences in the local service', async () => {
  const { code, lines } = await verify(system.url, '--rpc', RPC_URL);
  expect(lines.slice(lines.indexOf(''), -1).filter(Boolean)).toEqual([]);
  expect(lines.at(-1)).toMatch(/^\d+ paths, \d{4} figures compared with the chain, 0 differences$/);
  for (const { path } of Object.values(ENDPOINTS)) expect(lines.some((line) => line.startsWith(`${path} `))).toBe(true);
  expect(code).toBe(0);
});

test('finds every wrong answer, and no others', async () => {
  const liar = await startLiar(Object.fromEntries(LIES.map(([path, lie]) => [path, lie])), [
    '/withdrawals/{address}',
    '/accounts/{address}',
    '/supply/ggavax',
  ]);
  const { code, lines } = await verify(liar.url, '--rpc', RPC_URL);
  await liar.stop();
  const rows = lines.slice(0, lines.indexOf(''));
  const faults = lines.slice(rows.length + 1, -1).filter(Boolean);
  const faultsOf = (path: string) =>
    faults.filter((line) => line.startsWith(`${path}: `) || line.startsWith(`${path}?`));
  const expected = LIES.flatMap(([path]) => faultsOf(path));
  expect(faults.filter((line) => !expected.includes(line))).toEqual([]);
  for (const [path, , fault] of LIES) {
    const said = faultsOf(path).map((line) => line.slice(line.indexOf(': ') + 2));
    expect([path, said]).toEqual([path, expect.arrayContaining([expect.stringMatching(fault)])]);
  }
  expect(rows.filter((line) => /ok$/.test(line)).length).toBeGreaterThanOrEqual(3);
  expect(code).toBe(1);
});

const isMeant = (pattern: string, name: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Guards new fields. */
test('notices a small change of every number in every answer, or leaves it out for a reason', async () => {
  const service = await openService(system.url);
  const chain = await connectChain(43_112, RPC_URL);
  const lists = new Map<string, Json>();
  const patterns = Object.values(UNCOMPARED).flat();
  const used = new Set<string>();
  const missed: string[] = [];
  const depth = (path: string) => path.split('{').length;
  for (const path of Object.keys(service.document.paths).toSorted((a, b) => depth(a) - depth(b))) {
    const answer = await service.request(urlOf(service, path, lists));
    expect([path, answer.status]).toEqual([path, 200]);
    lists.set(path, answer.body);
    const excusesOf = (name: string) => patterns.filter((one) => isMeant(one, name) || isMeant(one, `${path} ${name}`));
    // Fields that an answer may lack: which answers have them depends on what is recorded at this moment.
    const { schema } = service.document.paths[path].get.responses[200].content['application/json'];
    for (const one of numbersDescribed(service.document, schema).flatMap(excusesOf)) used.add(one);
    const alterAndVerify = async (name: string) => {
      const excuses = excusesOf(name);
      for (const one of excuses) used.add(one);
      if (excuses.length > 0) return;
      const wrong = { ...answer, body: alterNumber(answer.body, name) };
      const { faults } = await verifyAnswer(service, chain, path, wrong).catch((error) => ({ faults: [error] }));
      if (faults.length > 0) return;
      missed.push(`${path} ${name}: compare it in infra/verify/figures.ts, or add its reason to uncompared.ts`);
    };
    await Promise.all(numbersIn(answer.body).map(alterAndVerify));
  }
  chain.close();
  expect(missed).toEqual([]);
  expect(patterns.filter((one) => !used.has(one))).toEqual([]);
});

test('says that answers were refused for want of capacity, by the limit or by Lambda, and what to do', async () => {
  const { status, body } = gatewayResponse(
    GATEWAY_ERRORS.find(({ type }) => type === 'DEFAULT_5XX') as (typeof GATEWAY_ERRORS)[number],
    'id',
  );
  const liar = await startLiar({ '/flags': { status: 429 }, '/settings': { status, body: () => JSON.parse(body) } });
  const { code, lines } = await verify(liar.url, '--rpc', RPC_URL);
  await liar.stop();
  const [, answers = 0] =
    /^throttling: (\d+) answers were .+quota of concurrent executions/m.exec(lines.join('\n')) ?? [];
  expect(Number(answers)).toBeGreaterThanOrEqual(2);
  expect(code).toBe(2);
});

test('reports a mistake in one line', async () => {
  const usage = /^Usage: npm run verify -- <base URL> \[--rpc <url>\]$/;
  const mistakes: [args: string[], line: RegExp][] = [
    [[system.url], /^Chain 43112 has no public RPC provider: pass one with --rpc$/],
    [[], usage],
    [['localhost'], usage],
    [['--rcp', 'http://localhost'], /^Unknown option '--rcp'/],
    [['http://127.0.0.1:1'], /^fetch failed \(.+\)$/],
  ];
  const outcomes = await Promise.all(mistakes.map(([args]) => verify(...args)));
  expect(outcomes).toEqual(mistakes.map(([, line]) => ({ code: 1, lines: [expect.stringMatching(line)] })));
});
