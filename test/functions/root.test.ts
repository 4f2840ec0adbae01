import { expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { root } from '../../functions/root.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import { lambdaContext, proxyEvent, send } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';

const handler = createHandler(
  root,
  startOnDevnet({ CACHE_TABLE: 'none', HISTORY_TABLE: 'none', LEDGER_TABLE: 'none' }),
);

test.each([undefined, 'application/json', '*/*'])('programs (Accept: %s) get the list of endpoints', async (accept) => {
  const { status, body } = await send(handler, accept ? { headers: { Accept: accept } } : {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ network: 'devnet', links: { docs: 'docs', dashboard: 'dashboard' } });
  expect(body.endpoints).toHaveLength(Object.keys(ENDPOINTS).length);
});

test.each([
  ['/', '/dashboard'],
  ['/prod', '/prod/dashboard'],
  ['/prod/', '/prod/dashboard'],
])('browsers at %s are redirected to %s, by a relative link that also works behind a CDN', async (path, location) => {
  const event = proxyEvent({ headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  event.requestContext.path = path;
  const { statusCode, headers } = await handler(event, lambdaContext());
  expect(statusCode).toBe(303);
  expect(headers).toMatchObject({ Location: expect.not.stringContaining('/prod'), Vary: 'Accept' });
  expect(new URL(String(headers?.Location), `https://api.example${path}`).pathname).toBe(location);
});

test.each([
  ['/no/such/page', '/prod/no/such/page', ['/prod/dashboard', '/prod/docs', '/prod/docs/guide']],
  ['/nothing', '/nothing', ['/dashboard', '/docs', '/docs/guide']],
])('browsers at %s get a 404 page whose links work, programs a problem', async (path, url, links) => {
  const event = proxyEvent({ headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  Object.assign(event, { resource: OTHER_PATHS, path });
  event.requestContext.path = url;
  const { statusCode, headers, body } = await handler(event, lambdaContext());
  expect([statusCode, headers?.['Content-Type'], headers?.Vary]).toEqual([404, 'text/html; charset=utf-8', 'Accept']);
  const found = [...body.matchAll(/href="(.+?)"/g)].map(
    ([, href]) => new URL(String(href), `https://api.example${url}`),
  );
  expect(found.map(({ pathname }) => pathname)).toEqual(links);

  const program = await handler({ ...event, headers: { Accept: '*/*' } }, lambdaContext());
  expect(program.statusCode).toBe(404);
  expect(JSON.parse(program.body)).toMatchObject({ code: 'NOT_FOUND' });
});
