import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { createRoutes, startGateway } from '../../infra/local/gateway.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** Rules that hold for every response over HTTP. */

let server: LocalServer;
tablesForAllTests();

beforeAll(async () => {
  await recordLedger();
  const page = { path: 'docs', headers: { 'Content-Type': 'text/html' }, body: Buffer.from('<p>A page</p>') };
  const routes = createRoutes(startOnDevnet());
  server = await startGateway({ port: 0, routes, site: [page] });
});
afterAll(() => server.stop());

/** Unlike fetch, sends no headers except these. */
async function http(path: string, { method = 'GET', headers = {} as Record<string, string> } = {}) {
  const sent = request({ port: new URL(server.url).port, path, method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body, json: () => JSON.parse(body.toString()) };
}

const PATHS = Object.values(ENDPOINTS)
  .filter(({ freshSeconds }) => freshSeconds > 0)
  .map(({ exampleRequest }) => exampleRequest);
/** An object, a list, a number, and a response that is never stale, for behaviour that is independent of endpoints. */
const KINDS = ['/prices', '/stakers', '/supply/ggp/total', '/health'];

describe.each(PATHS)('GET %s', (path) => {
  test('has a request ID and no other headers than the handler, and gets a 304 if the client has it already', async () => {
    const { status, headers } = await http(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    // The others are those of the handler (endpoints.test.ts).
    expect(headers['cache-control']).toMatch(
      path === '/health' ? /^public, max-age=5$/ : /^public, max-age=\d+, stale/,
    );
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    // Over plain HTTP, and without a date that two bodies may share.
    for (const name of ['strict-transport-security', 'last-modified', 'access-control-allow-credentials'])
      expect(headers).not.toHaveProperty(name);

    const again = await http(path, { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const other = { 'if-none-match': '"other"', 'if-modified-since': new Date().toUTCString() };
    for (const [name, value] of Object.entries(other))
      expect((await http(path, { headers: { [name]: value } })).status).toBe(200);
  });

  test('has the same cache entry with parameters of link trackers, and refuses unknown ones', async () => {
    const plain = await http(path);
    const more = await http(`${path}${path.includes('?') ? '&' : '?'}utm_source=x&fbclid=y&gclid=z&_=1`);
    expect(more.headers.etag).toBe(plain.headers.etag);
    expect(more.headers['x-cache']).toBe('hit');
    const { status, json } = await http(`${path}${path.includes('?') ? '&' : '?'}fiat=eur`);
    expect(status).toBe(400);
    expect(json().errors).toEqual([
      { parameter: 'fiat', message: expect.stringContaining('is not a parameter of this endpoint, which takes ') },
    ]);
  });
});

test.each([...KINDS, '/docs'])('%s answers preflights, and other methods with a 405', async (path) => {
  const preflight = await http(path, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe('*');
  expect(preflight.headers['access-control-allow-methods']).toBe('GET,HEAD,OPTIONS');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const refused = await http(path, { method });
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET,HEAD,OPTIONS');
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
  }
});
