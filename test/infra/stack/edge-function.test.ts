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
    handler({ context: { requestId: 'r-1' }, request: { method, uri, querystring, headers: { ...headers } } }),
  );
const value = (text: string) => ({ value: text });
/** Headers with this `Accept`, if any. */
const accepting = (accept: string | undefined): Json => (accept === undefined ? {} : { accept: value(accept) });

test('is below CloudFront’s size limit', () => {
  expect(Buffer.byteLength(edgeRequestCode())).toBeLessThan(10_240);
});

test('answers HEAD of the API catalog with its link, and leaves GET to the bucket', () => {
  const { statusCode, headers } = ask('HEAD', '/.well-known/api-catalog');
  expect([statusCode, headers.link]).toEqual([200, value('<api-catalog>; rel="api-catalog"')]);
  expect(headers['access-control-allow-origin']).toEqual(value('*'));
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

  const LOWER = `0x${'ab'.repeat(20)}`;
  test.each([
    ['/prices/', '/prices'],
    ['/', '/'],
    [`/ggAvax/0x${'AB'.repeat(20)}`, `/ggAvax/${LOWER}`],
    [`/accounts/0x${'AB'.repeat(20)}/income/`, `/accounts/${LOWER}/income`],
    [`/ggAvax/${LOWER}`, `/ggAvax/${LOWER}`],
    // A checksum, which the API has to check: a mistyped one is refused.
    [`/ggAvax/0x${'aB'.repeat(20)}`, `/ggAvax/0x${'aB'.repeat(20)}`],
  ])('%s becomes %s', (uri, expected) => {
    expect(ask('GET', uri).uri).toBe(expected);
  });

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  test.each([
    [BROWSER, 'text/html'],
    ['text/csv', 'text/csv'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['application/json;q=0.5, Text/CSV', 'text/csv'],
    ['text/csv;q=0.2, */*', 'application/json'],
    ['text/csv, application/*;q=0.9, */*', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
    ['text/plain;q=0.9, */*;q=0.8', 'text/plain'],
    ['application/json, text/plain, */*', 'application/json'],
    ['image/avif', 'application/json'],
    [undefined, 'application/json'],
  ])('reduces Accept %s to %s', (accept, expected) => {
    expect(ask('GET', '/', {}, accepting(accept)).headers.accept).toEqual(value(expected));
  });

  test.each([
    undefined,
    '*/*',
    BROWSER,
    'text/calendar, application/json',
    'application/json, text/plain, */*',
    'text/csv',
    'application/json',
  ])('leaves what each endpoint prefers for Accept %s as it is', (accept) => {
    for (const { path, formats } of Object.values(ENDPOINTS)) {
      const reduced = ask('GET', path, {}, accepting(accept)).headers.accept.value;
      const preferred = (accepted: Json) => preferredFormat(formats, requestWith({ headers: accepted }));
      expect([path, preferred({ accept: reduced })]).toEqual([path, preferred(accept === undefined ? {} : { accept })]);
    }
  });
});

test('redirects a page with a trailing slash to the page, and keeps its query', () => {
  const answer = ask('GET', '/docs/guide/', { address: value('0x1'), rate: value('7d') });
  expect([answer.statusCode, answer.headers.location]).toEqual([301, value('/docs/guide?address=0x1&rate=7d')]);
  expect(ask('GET', '/dashboard').uri).toBe('/dashboard');
});

test.each(['POST', 'OPTIONS'])('answers %s like the API does, on any path', async (method) => {
  const runtime = {
    telemetry: recordingTelemetry(),
    clock: systemClock,
    context: () => Promise.reject(new Error('not asked')),
  };
  const { status, headers, body } = await send(createHandler(ENDPOINTS.prices as Endpoint, runtime), { method });
  const answer = ask(method, '/docs');
  expect(answer.statusCode).toBe(status);
  const sent = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), value(String(text))]);
  const ours = Object.fromEntries(sent.filter(([name]) => !['x-request-id', 'content-type'].includes(String(name))));
  expect(answer.headers).toMatchObject(ours);
  if (method === 'POST') {
    const { requestId: _, ...problem } = body as Json;
    expect(JSON.parse(answer.body)).toEqual({ ...problem, requestId: 'r-1' });
    expect(answer.headers['x-request-id']).toEqual(value('r-1'));
    expect(answer.headers['content-type']).toEqual(value('application/problem+json'));
  }
});
