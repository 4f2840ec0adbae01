import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { edgeRequestCode } from '../../../infra/stack/edge-function.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { preferredFormat } from '../../../lib/api/http/negotiation.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { requestWith } from '../../lib/api/request.ts';
import { send } from '../../support/events.ts';
import type { Json } from '../../support/stack.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** The function that CloudFront runs for each request before it looks into its cache. */

const handler: (event: Json) => Json = runInNewContext(`${edgeRequestCode()}\nhandler`);
const ask = (method: string, uri: string, querystring: Json = {}, headers: Json = {}) =>
  structuredClone(
    handler({ context: { requestId: 'test-request' }, request: { method, uri, querystring, headers: { ...headers } } }),
  );
const value = (text: string) => ({ value: text });

test('is below CloudFront’s size limit', () => {
  expect(Buffer.byteLength(edgeRequestCode())).toBeLessThan(10_240);
});

test('answers HEAD of the API catalog with its link, and leaves GET to the bucket', () => {
  const headers = { link: value('<api-catalog>; rel="api-catalog"'), 'access-control-allow-origin': value('*') };
  expect(ask('HEAD', '/.well-known/api-catalog')).toMatchObject({ statusCode: 200, headers });
  expect(ask('GET', '/.well-known/api-catalog')).toMatchObject({ method: 'GET', uri: '/.well-known/api-catalog' });
});

describe('one cache key for one answer', () => {
  test('sorts parameters, drops those of link trackers, and passes unknown and repeated ones on for the API to refuse', () => {
    const twice = { value: '1', multiValue: [value('1'), value('2')] };
    const { querystring } = ask('GET', '/stakers', {
      ...Object.fromEntries(['x', 'utm', 'order', 'status%5B%5D'].map((name) => [name, value('1')])),
      ...Object.fromEntries(['utm_source', 'fbclid', 'gclid', '_'].map((name) => [name, value('2')])),
      limit: twice,
    });
    expect(Object.entries(querystring)).toEqual([
      ['limit', twice],
      ...['order', 'status%5B%5D', 'utm', 'x'].map((name) => [name, value('1')]),
    ]);
  });

  const [LOWER, UPPER, MIXED] = ['ab', 'AB', 'aB'].map((byte) => `0x${byte.repeat(20)}`);
  const NODE = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';
  test.each([
    ['/prices/', '/prices'],
    ['/', '/'],
    [`/accounts/${UPPER}/income/`, `/accounts/${LOWER}/income`],
    [`/ggAvax/${MIXED}`, `/ggAvax/${LOWER}`],
    [`/minipools/${NODE}`, `/minipools/${NODE}`],
  ])('%s becomes %s', (uri, expected) => {
    expect(ask('GET', uri).uri).toBe(expected);
  });

  test('writes addresses in parameters in lower case, also of lists, but not those in cursors', () => {
    const query = (address: string, nodeID: string) => ({
      address: { ...value(`${address},${address}%2c${address}`), multiValue: [value(address), value(LOWER as string)] },
      cursor: value(`12-${MIXED}`),
      nodeID: value(nodeID),
    });
    expect(ask('GET', '/accounts', query(MIXED as string, NODE)).querystring).toEqual(query(LOWER as string, NODE));
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/csv', 'text/csv'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['application/json;q=0.5, Text/CSV', 'text/csv'],
    ['text/csv;q=0.2, */*', 'application/json'],
    ['text/csv, application/*;q=0.9, */*', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
    ['text/plain;q=0.9, */*;q=0.8', 'text/plain'],
    ['text/calendar, application/json', 'application/json'],
    ['image/avif', 'application/json'],
  ])('reduces Accept %s to %s, without a change of what each endpoint prefers', (accept, expected) => {
    const own = accept === undefined ? {} : { accept };
    const reduced = (path: string) =>
      ask('GET', path, {}, accept === undefined ? {} : { accept: value(accept) }).headers.accept.value;
    expect(reduced('/')).toBe(expected);
    for (const { path, formats } of Object.values(ENDPOINTS)) {
      const preferred = (headers: Json) => preferredFormat(formats, requestWith({ headers }));
      expect([path, preferred({ accept: reduced(path) })]).toEqual([path, preferred(own)]);
    }
  });
});

test('redirects a page with a trailing slash to the page, and keeps its query', () => {
  const answer = ask('GET', '/docs/guide/', { address: value('0x1'), rate: value('7d') });
  expect([answer.statusCode, answer.headers.location]).toEqual([301, value('/docs/guide?address=0x1&rate=7d')]);
  expect(ask('GET', '/dashboard').uri).toBe('/dashboard');
});

test.each(['POST', 'OPTIONS'])('answers %s like the API does, on any path', async (method) => {
  const runtime = { telemetry: recordingTelemetry(), clock: systemClock, context: () => Promise.reject() };
  const { status, headers, body } = await send(createHandler(ENDPOINTS.prices as Endpoint, runtime), { method });
  const answer = ask(method, '/docs');
  expect([answer.statusCode, answer.body && JSON.parse(answer.body)]).toEqual([status, body || undefined]);
  const sent = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), value(text)]);
  // A preflight has no body, and nobody reads the ID of its request.
  const own = sent.filter(([name]) => method === 'POST' || !['x-request-id', 'content-type'].includes(String(name)));
  expect(answer.headers).toMatchObject(Object.fromEntries(own));
});
