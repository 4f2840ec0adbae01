import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { formatUnits, parseUnits } from 'ethers';
import { ENDPOINTS } from '../../../functions/index.ts';
import { type LocalServer, listen } from '../../../infra/local/listen.ts';
import { type System, startSystem } from '../../../infra/local/system.ts';
import { GATEWAY_ERRORS, gatewayResponse } from '../../../infra/stack/gateway-responses.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';
import { run } from '../run.ts';

/** `npm run verify` in a process of its own, against the local service and against one that gives wrong answers. */

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

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

interface Lie {
  status?: number;
  headers?: Record<string, string | undefined>;
  body?: (body: Body) => Body;
  /** Closes the connection without an answer. */
  isCut?: boolean;
}

/** A proxy of the service that changes the answers to GET requests for these paths. */
async function startLiar(lies: Record<string, Lie>): Promise<LocalServer> {
  const server = createServer(async ({ method = 'GET', url = '/', headers }, response) => {
    const { [url.split('?')[0] as string]: lie = {} } = method === 'GET' ? lies : {};
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
      if (!['content-encoding', 'content-length', 'transfer-encoding'].includes(name)) response.setHeader(name, value);
    }
    for (const [name, value] of Object.entries(lie.headers ?? {})) {
      if (value === undefined) response.removeHeader(name);
      else response.setHeader(name, value);
    }
    response
      .writeHead(lie.status ?? answer.status)
      .end(lie.body && text ? JSON.stringify(lie.body(JSON.parse(text))) : text);
  });
  return listen(server);
}

test('finds no differences in the local service', async () => {
  const { code, lines } = await verify(system.url, '--rpc', RPC_URL);
  expect(lines.filter((line) => /wrong/.test(line))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^\d+ paths, \d{3} figures compared with the chain, 0 differences$/);
  for (const { path } of Object.values(ENDPOINTS)) expect(lines.some((line) => line.startsWith(`${path} `))).toBe(true);
  expect(code).toBe(0);
});

test('finds every wrong answer, and no others', async () => {
  const lies: [path: string, lie: Lie, fault: RegExp][] = [
    [
      '/ggAvax',
      { body: (body) => ({ ...body, totalAssets: oneWeiMore(body.totalAssets) }) },
      /^totalAssets: .*, the chain says /,
    ],
    [
      '/ggAvax/history',
      { body: withLastPoint((point) => ({ ...point, totalSupply: '1' })) },
      /^newestPoints\[0\]\.totalSupply: 1, /,
    ],
    [
      '/contracts',
      {
        body: ({ contracts: [first, ...others], ...body }) => ({
          ...body,
          contracts: [{ ...first, address: others[0].address }, ...others],
        }),
      },
      /^ClaimNodeOp: 0x/,
    ],
    ['/supply/ggp/total', { body: (supply) => supply + 0.001 }, /^the number: /],
    ['/rewards/cycle', { body: ({ startTime, ...body }) => ({ ...body, startTime: startTime + 1 }) }, /^startTime: /],
    [
      '/metrics',
      {
        body: (body) => ({ ...body, block: { ...body.block, timestamp: body.block.timestamp - 1 } }),
        headers: { 'last-modified': undefined },
      },
      /^last-modified: null/,
    ],
    [
      '/metrics/apy',
      {
        body: ({ windows, ...body }) => ({
          ...body,
          windows: windows.map((window: Body) => ({ ...window, apr: window.apr * 1.0001 })),
        }),
      },
      /^windows\[0\]\.apr: /,
    ],
    ['/prices', { headers: { 'access-control-allow-origin': undefined } }, /^access-control-allow-origin: missing$/],
    ['/stakers', { headers: { 'x-block-number': '1' } }, /^x-block-number: 1, the body says /],
    ['/minipools', { body: ({ counts, ...body }) => body }, /^body must have required property 'counts'$/],
    ['/withdrawals', { status: 500 }, /^status 500$/],
    ['/validators', { status: 200 }, /^If-None-Match: status 200$/],
    ['/nodeOpSpread', { headers: { 'cache-control': 'no-store' } }, /^cache-control: no-store$/],
    [
      '/metrics/history',
      { body: ({ missing, ...body }) => ({ ...body, missing: missing + 1 }) },
      /^missing: \d+, its points and range say \d+$/,
    ],
    [
      '/metrics/apy/history',
      { body: ({ recordedFrom, ...body }) => body },
      /^recordedFrom: undefined, a point is of \d+$/,
    ],
    ['/rewards/cycles', { headers: { 'x-block-number': 'undefined' } }, /^x-block-number: undefined$/],
    ['/health', { headers: { 'cache-control': 'public, max-age=5, stale-if-error=60' } }, /^cache-control: .*stale/],
    ['/prices/history', { isCut: true }, /^could not be checked: fetch failed \(.+\)$/],
    [
      '/activity',
      { body: (body) => ({ ...body, coverage: { ...body.coverage, toBlock: body.coverage.toBlock - 1 } }) },
      /^x-block-number: \d+, the body says \d+$/,
    ],
    ['/flags', { headers: { 'content-type': 'text/html' } }, /^text\/html: not documented/],
    ['/there-is-no-such-path', { status: 200 }, /^status 200, code NOT_FOUND, detail There is no such path/],
  ];
  const liar = await startLiar(Object.fromEntries(lies));
  const { code, lines } = await verify(liar.url, '--rpc', RPC_URL);
  await liar.stop();
  const wrong = lines.filter((line) => /\d wrong$/.test(line)).map((line) => line.split(' ', 1)[0]);
  expect(wrong.toSorted()).toEqual(lies.map(([path]) => path).toSorted());
  for (const [path, , fault] of lies) {
    const faults = lines.filter((line) => line.startsWith(`${path}: `) || line.startsWith(`${path}?`));
    expect(faults.map((line) => line.slice(line.indexOf(': ') + 2))).toContainEqual(expect.stringMatching(fault));
  }
  expect(code).toBe(1);
});

test('says that answers were refused for want of capacity, by the limit or by Lambda, and what to do', async () => {
  const { status, body } = gatewayResponse(
    GATEWAY_ERRORS.find(({ type }) => type === 'DEFAULT_5XX') as (typeof GATEWAY_ERRORS)[number],
    'id',
  );
  const liar = await startLiar({ '/prices': { status: 429 }, '/metrics': { status, body: () => JSON.parse(body) } });
  const { code, lines } = await verify(liar.url, '--rpc', RPC_URL);
  await liar.stop();
  const [, answers = 0] =
    /^throttling: (\d+) answers were .+quota of concurrent executions/m.exec(lines.join('\n')) ?? [];
  expect(Number(answers)).toBeGreaterThanOrEqual(2);
  expect(code).toBe(1);
});

function oneWeiMore(amount: string): string {
  return formatUnits(parseUnits(amount) + 1n);
}

function withLastPoint(change: (point: Body) => Body): (body: Body) => Body {
  return ({ points, ...body }) => ({ ...body, points: [...points.slice(0, -1), change(points.at(-1))] });
}

test('asks for --rpc if the chain has no public provider', async () => {
  const { code, lines } = await verify(system.url);
  expect({ code, lines }).toEqual({ code: 1, lines: ['Chain 43112 has no public RPC provider: pass one with --rpc'] });
});

test.each([
  ['no URL', [], /^Usage: npm run verify -- <base URL> \[--rpc <url>\], or npm run verify -- <folder of an archive>$/],
  ['what is none', ['localhost'], /^Usage: /],
  ['an unknown option', ['--rcp', 'http://localhost'], /^Unknown option '--rcp'/],
  ['a service that does not answer', ['http://127.0.0.1:1'], /^fetch failed \(.+\)$/],
])('reports %s in one line', async (_, args, line) => {
  const { code, lines } = await verify(...args);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(line)]);
});
