import { expect, test } from '@jest/globals';
import { health } from '../../functions/health.ts';
import { startCountingProxy } from '../../infra/bench/counting-proxy.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { send } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** Whether the service works: the same for all who ask within five seconds. */

tablesForEachTest();

test('twenty checks ask the chain once, whichever containers they reach', async () => {
  const chain = await startCountingProxy(process.env.DEVNET_RPC_URL as string);
  const handlers = [1, 2].map(() => createHandler(health, startOnDevnet({ RPC_URLS: chain.url })));
  await send(handlers[0] as (typeof handlers)[number]);
  const once = chain.requests;
  const checks = await Promise.all(Array.from({ length: 10 }, () => handlers.map((handler) => send(handler))).flat());
  for (const { status, headers } of checks) {
    expect([status, headers['X-Cache'], headers['Cache-Control']]).toEqual([200, 'hit', 'public, max-age=5']);
    // Its `block` is a figure: a body without a time is of no block.
    expect([headers['X-Block-Number'], headers['Last-Modified']]).toEqual([undefined, undefined]);
  }
  expect(chain.requests).toBe(once);
  expect(checks[0]?.headers).not.toHaveProperty('Last-Modified');
  await chain.stop();
});

test('down is a 503 with its body, for those as well who have that body already', async () => {
  const handler = createHandler(health, startOnDevnet({ RPC_URLS: await deadUrl() }));
  const { status, headers, body } = await send(handler);
  expect([status, body.status]).toEqual([503, 'down']);
  const again = await send(handler, { headers: { 'If-None-Match': headers.ETag as string } });
  expect([again.status, again.body]).toEqual([503, body]);
});
