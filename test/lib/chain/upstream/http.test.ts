import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { listen } from '../../../../infra/devnet/listen.ts';
import { sendRequest } from '../../../../lib/chain/upstream/http.ts';
import { VERSION } from '../../../../lib/runtime/version.ts';
import { GUARD_MS } from '../../../support/guard.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../../../support/servers.ts';

const keep = stoppedAfterEach();

const get = (url: string, timeoutMs = GUARD_MS) => sendRequest({ url, timeoutMs });

const zipped = (body: Buffer) => gzipSync(body, { level: 1 });

/** A server that records its connections. Connections in `dying` stay open, and are reset by the next request. */
async function countingServer(listener: RequestListener = (_, response) => response.end('ok')) {
  const sockets: Socket[] = [];
  let dying = new Set<Socket>();
  const resets: Socket[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (!dying.has(request.socket)) return listener(request, response);
    resets.push(request.socket);
    request.socket.resetAndDestroy();
  });
  server.on('connection', (socket) => sockets.push(socket));
  const { url, stop } = await listen(server);
  keep({
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return stop();
    },
  });
  return {
    url,
    sockets,
    resets,
    /** Makes the server drop all connections without notifying the client. */
    forgetAll: () => {
      dying = new Set(sockets);
    },
  };
}

test('every request names this service, and nobody', async () => {
  const { url } = keep(await startServer((request, response) => response.end(request.headers['user-agent'])));
  expect((await get(url)).text).toBe(`staking-data-service/${VERSION}`);
});

describe('connections', () => {
  test('are reused', async () => {
    const { url, sockets } = await countingServer();
    for (let request = 0; request < 3; request++) expect((await get(url)).text).toBe('ok');
    expect(sockets).toHaveLength(1);
  });

  test('that the server has dropped cost a request one retry on a new connection', async () => {
    const { url, sockets, resets, forgetAll } = await countingServer();
    await Promise.all(Array.from({ length: 5 }, () => get(url)));
    expect(sockets).toHaveLength(5);
    forgetAll();
    expect((await get(url)).text).toBe('ok');
    expect(resets).toHaveLength(1);
    expect(sockets).toHaveLength(6);
    expect((await get(url)).text).toBe('ok');
    expect(resets).toHaveLength(1);
    expect(sockets).toHaveLength(6);
  });
});

describe('an answer', () => {
  test('that comes byte by byte is cut off by the timeout', async () => {
    const { url } = await startServer(async (_, response) => {
      for (let byte = 0; byte < 50 && !response.destroyed; byte++) {
        response.write('x');
        await wait(20);
      }
    }).then(keep);
    // Otherwise it would be complete after a second.
    await expect(get(url, 200)).rejects.toMatchObject({ outcome: 'timeout' });
  });

  test('may be up to 16 MB uncompressed', async () => {
    const largest = Buffer.alloc(16_000_000, 'x');
    const tooLarge = Buffer.alloc(16_000_001, 'x');
    const bodies = { largestZipped: zipped(largest), tooLarge, tooLargeZipped: zipped(tooLarge) };
    const { url } = await startServer(({ url: path = '' }, response) => {
      if (path.endsWith('Zipped')) response.setHeader('content-encoding', 'gzip');
      response.end(bodies[path.slice(1) as keyof typeof bodies]);
    }).then(keep);
    expect((await get(`${url}/largestZipped`)).text.length).toBe(16_000_000);
    for (const name of ['tooLarge', 'tooLargeZipped']) {
      await expect(get(`${url}/${name}`)).rejects.toMatchObject({ outcome: 'oversized' });
    }
  });
});

describe('a request', () => {
  test('with JSON is a POST, and headers can be added', async () => {
    const received: unknown[] = [];
    const { url } = await startServer((request, response) => {
      const { 'content-type': type, 'content-length': length, accept, 'x-key': key } = request.headers;
      received.push({ method: request.method, type, length, accept, key });
      response.end();
    }).then(keep);
    await sendRequest({ url, json: { name: 'ä' }, headers: { 'x-key': 'k' }, timeoutMs: GUARD_MS });
    await sendRequest({ url, timeoutMs: GUARD_MS });
    expect(received).toEqual([
      { method: 'POST', type: 'application/json', length: '13', accept: 'application/json', key: 'k' },
      { method: 'GET', type: undefined, length: undefined, accept: 'application/json', key: undefined },
    ]);
  });

  test('that fails says why, and does not reveal the address', async () => {
    for (const [url, message] of [
      [await deadUrl(), 'connection refused'],
      ['http://provider.invalid', 'name not found'],
    ] as const) {
      const failure = await get(url).catch((thrown) => thrown);
      expect(failure).toMatchObject({ outcome: 'network', cause: { message } });
      expect(`${failure.stack} ${failure.cause.stack}`).not.toMatch(/127\.0\.0\.1:|invalid/);
    }
  });
});

test('NODE_USE_ENV_PROXY sends requests through the proxy that the environment names, except to this machine', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = keep(
    await startServer((request, response) => {
      asked.push(request.url);
      response.end('from the proxy');
    }),
  );
  const own = keep(await startServer((_, response) => response.end('direct')));
  const urls = [own.url, own.url.replace('127.0.0.1', '127.1.2.3'), own.url.replace('127.0.0.1', 'localhost')];
  const client = new URL('../../../../lib/chain/upstream/http.ts', import.meta.url).href;
  const script = `import { sendRequest } from '${client}';
    const get = (url) => sendRequest({ url, timeoutMs: ${GUARD_MS} }).then(({ text }) => text, ({ outcome }) => outcome);
    for (const url of ${JSON.stringify(['http://provider.invalid/rpc', ...urls])}) console.log(await get(url));
    process.exit();`;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, NO_PROXY: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(stdout.trim().split('\n')[0]).toBe('from the proxy');
  expect(asked).toEqual(['http://provider.invalid/rpc']);
});
