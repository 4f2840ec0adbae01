import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ENDPOINTS } from '../../functions/index.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { createRoutes, startGateway } from '../../infra/local/gateway.ts';
import { ERROR_STATUS } from '../../lib/runtime/errors.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** 5,000 random requests, most of them malformed: none may break the service or make it leak details. */

const REQUESTS = 5_000;
const AT_A_TIME = 20;

const agent = new Agent({ keepAlive: true });
let server: LocalServer;
tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  await recordLedger();
  runtime = startOnDevnet();
  server = await startGateway({ port: 0, routes: createRoutes(runtime) });
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

type Sent = Record<'method' | 'path', string> & { headers: Record<string, string> };
type Answer = Awaited<ReturnType<typeof send>>;

async function send({ method, path, headers }: Sent) {
  const sent = request({ port: new URL(server.url).port, agent, method, path, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const body = response.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
  return { status: response.statusCode ?? 0, headers: response.headers, body: body.toString() };
}

/** Strings known to break services: extreme numbers, other encodings, code in other languages. */
const NASTY = [
  ...['', ' ', '0', '-0', '-1', '1e309', '0x', 'NaN', 'null', 'undefined', 'true', '[]', '{}', '__proto__'],
  ...['constructor', "' OR 1=1 --", '<script>alert(1)</script>', '../../etc/passwd', '\u0024{jndi:ldap://x}', '%s%n'],
  ...['9'.repeat(400), `0.${'0'.repeat(300)}1`, `0x${'f'.repeat(64)}`, `NodeID-${'z'.repeat(33)}`, 'a'.repeat(2_000)],
  ...['\u0000', '\ud83d\ude80', '١٢٣'],
];
const nastyText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double().map(String),
);
/** Percent-encoded strings, and some that are malformed but still legal in a request line. */
const encoded = fc.oneof(
  nastyText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%zz', '%E0%A4%A', '%00', '%2F', '%25', '+', '..', ';', '%F0%9F%9A%80'),
);

const inputs = Object.values(ENDPOINTS).flatMap(({ input }) => Object.keys(input.shape));
const goodPaths = Object.values(ENDPOINTS).map(({ exampleRequest }) => exampleRequest);
const path = fc.oneof(
  fc.constantFrom(...goodPaths),
  fc
    .tuple(fc.constantFrom(...Object.values(ENDPOINTS)), fc.array(encoded, { minLength: 3, maxLength: 3 }))
    .map(([endpoint, values]) => endpoint.path.replace(/\{\w+\}/g, () => values.pop() ?? '0')),
  fc.array(encoded, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
);
const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...inputs), encoded), encoded), { maxLength: 5 });
const headers = fc.record(
  {
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"', ',,,', '"'.repeat(500)),
    'accept-encoding': fc.constantFrom('gzip', 'gzip;q=x', ';;;', 'br', '*'),
    accept: fc.constantFrom('text/html', 'application/json', '*/*;q=', ''),
    origin: fc.constantFrom('null', 'https://example.org', 'x'),
  },
  { requiredKeys: [] },
);
const sent = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH'),
  path: fc.tuple(path, query).map(([where, params]) => {
    const text = params.map(([name, value]) => `${name}=${value}`).join('&');
    return text ? `${where}${where.includes('?') ? '&' : '?'}${text}` : where;
  }),
  headers,
});

/** Hosts, paths, stack traces, credentials and libraries: details that must not leak. */
const LEAKS =
  /127\.0\.0\.1|localhost|node_modules|\/lib\/|\/functions\/|\.ts:|\.js:| {4}at |ECONN|eyJ|AKIA|DynamoDB|ethers/i;
const CODES = Object.keys(ERROR_STATUS);

function check(request: Sent, { status, headers, body }: Answer): void {
  // Compared together with the request and its answer, so that a failure shows them.
  const seen = { request, status, body: body.slice(0, 300) };
  expect({ ...seen, ok: [200, 204, 303, 304, 400, 404, 405].includes(status) }).toEqual({ ...seen, ok: true });
  expect(headers['access-control-allow-origin']).toBe('*');
  if (status === 303)
    expect([request.headers.accept, headers.location]).toEqual([
      'text/html',
      expect.stringMatching(/^([^:]*\/)?(dashboard|docs\/contracts)$/),
    ]);
  if (status < 400) return;
  expect({ ...seen, leaks: LEAKS.exec(JSON.stringify(headers) + body)?.[0] }).toEqual({ ...seen, leaks: undefined });
  if (status === 404 && headers['content-type'] === 'text/html; charset=utf-8') {
    expect(request.headers.accept).toBe('text/html');
    return;
  }
  expect(headers['content-type']).toBe('application/problem+json');
  if (request.method === 'HEAD') return;
  const problem = JSON.parse(body);
  expect(CODES).toContain(problem.code);
  expect(problem.status).toBe(status);
  if (status === 400) expect(problem.detail.length).toBeGreaterThan(10);
}

test(`${REQUESTS} random requests get clear answers`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: AT_A_TIME, maxLength: AT_A_TIME }), async (requests) => {
      const answers = await Promise.all(requests.map(send));
      for (const [index, answer] of answers.entries()) check(requests[index] as Sent, answer);
    }),
    // Without shrinking, which would take minutes: a failure shows its request anyway.
    { numRuns: REQUESTS / AT_A_TIME, endOnFailure: true },
  );
  expect(runtime.telemetry.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
