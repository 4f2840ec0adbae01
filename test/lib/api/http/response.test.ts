import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { cachedResponse, pageResponse, problemResponse, sunsetHeaders } from '../../../../lib/api/http/response.ts';
import type { CacheState } from '../../../../lib/cache/cache-entry.ts';
import { ApiError, type ErrorCode, toProblem } from '../../../../lib/runtime/errors.ts';
import { decode, encode } from '../../../../lib/values/encoding.ts';
import { requestWith } from '../request.ts';

const NOW = 1_790_000_000_000;

const SMALL = '{"a":1}';
const LARGE = JSON.stringify({ a: 'x'.repeat(2_000) });

const entryOf = (body: string, overrides: object = {}) => ({
  ...encode(body, 'application/json'),
  storedAt: NOW,
  maxAge: 60,
  freshUntil: NOW + 60_000,
  staleUntil: NOW + 86_400_000,
  ...overrides,
});
const request = (headers: Record<string, string> = {}) => requestWith({ headers });
const JSON_ONLY = { now: NOW, contentType: 'application/json', byAccept: false };
const respond = (body: string, headers?: Record<string, string>, overrides?: object) =>
  cachedResponse(request(headers), { entry: entryOf(body, overrides), state: 'hit' }, JSON_ONLY);

describe('an encoded body', () => {
  test.each([
    [1_399, false],
    [1_400, true],
  ])('of %d bytes is compressed: %s', (bytes, gzip) => {
    const text = 'ä'.repeat(bytes / 2) + 'x'.repeat(bytes % 2);
    const encoded = encode(text, 'text/plain');
    expect(encoded.gzip).toBe(gzip);
    expect(gzip ? gunzipSync(encoded.body).toString() : Buffer.from(encoded.body).toString()).toBe(text);
    expect(decode(encoded).toString()).toBe(text);
  });

  test('has the hash of its text, compressed or not', () => {
    // First 22 of 43 characters of SHA-256 in base64url.
    expect(encode('{}', 'application/json').etag).toBe('RBNvo1WzZ4oRRq0W9-hknp');
    expect(encode(LARGE, 'a/b').etag).toMatch(/^[\w-]{22}$/);
    expect(encode(LARGE, 'a/b').etag).not.toBe(encode(`${LARGE} `, 'a/b').etag);
  });
});

describe('a response from the cache', () => {
  test('has all headers that clients and shared caches need', () => {
    const block = { number: 95_044_397, timestamp: 1_789_158_328 };
    const entry = entryOf(SMALL, { storedAt: NOW - 12_999, block });
    const response = cachedResponse(request(), { entry, state: 'miss', loadMs: 12.34 }, JSON_ONLY);
    expect(response).toEqual({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=60, stale-while-revalidate=60, stale-if-error=86400',
        ETag: `"${entry.etag}"`,
        Age: '12',
        Vary: 'Accept-Encoding',
        'X-Cache': 'miss',
        'Cache-Status': 'staking-data; fwd=miss',
        'X-Block-Number': '95044397',
        'Server-Timing': 'upstream;dur=12.3',
      },
      body: SMALL,
      served: { cache: 'miss', age: 12, block, loadMs: 12.34 },
    });
  });

  // CloudFront replaces X-Cache with its own.
  test.each([
    ['hit', 'staking-data; hit'],
    ['miss', 'staking-data; fwd=miss'],
    ['stale', 'staking-data; hit; detail=stale'],
  ] as const)('with X-Cache %s also says so in Cache-Status, which caches in front leave alone', (state, status) => {
    const { headers } = cachedResponse(request(), { entry: entryOf(SMALL), state }, JSON_ONLY);
    expect(headers).toMatchObject({ 'X-Cache': state, 'Cache-Status': status });
  });

  test.each([
    [999, '0'],
    [1_000, '1'],
    [-5_000, '0'],
  ])('%d ms old has the Age %s', (ms, age) => {
    expect(respond(SMALL, {}, { storedAt: NOW - ms }).headers.Age).toBe(age);
  });
});

test('a page of a list links to the next one, with the parameters of its request', () => {
  const query = { limit: ['2'], owner: ['a b', 'c'], cursor: ['old'] };
  const cached = { entry: entryOf(SMALL, { next: 'n+1' }), state: 'hit' as const };
  const { headers } = cachedResponse({ ...request(), query }, cached, JSON_ONLY);
  expect(headers.Link).toBe('<?limit=2&owner=a+b&owner=c&cursor=n%2B1>; rel="next"');
});

test('a body with a status of its own is sent in full, whatever the client has', () => {
  const entry = entryOf(SMALL, { status: 503 });
  const response = cachedResponse(request({ 'if-none-match': '*' }), { entry, state: 'hit' }, JSON_ONLY);
  expect(response).toMatchObject({ status: 503, body: SMALL, unanswered: true });
});

describe('the max-age of', () => {
  const maxAgeOf = (state: CacheState, seconds: number) => {
    const entry = entryOf(SMALL, { storedAt: NOW - seconds * 1_000 });
    return /max-age=(\d+)/.exec(
      cachedResponse(request(), { entry, state }, JSON_ONLY).headers['Cache-Control'] ?? '',
    )?.[1];
  };

  // The entries are fresh for 60 seconds.
  test.each<[CacheState, number, string]>([
    ['miss', 0, '60'],
    ['hit', 59, '60'],
    ['hit', 61, '60'],
    ['stale', 54, '60'],
    ['stale', 55, '60'],
    ['stale', 56, '61'],
    ['stale', 3_600, '3605'],
  ])('a %s response %d seconds old is %s', (state, seconds, maxAge) => {
    expect(maxAgeOf(state, seconds)).toBe(maxAge);
  });
});

describe('compression', () => {
  test.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['br, gzip', true],
    ['br;q=1, gzip;q=0.001', true],
    ['br', false],
    ['identity', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=0', false],
    ['gzip; q=0', false],
    ['gzip;q=0.000', false],
    ['gzip;q=0, *', false],
    ['*, gzip;q=0', false],
    ['gzip;q=0.5, *;q=0', true],
    ['*;q=0, gzip', true],
    ['gzip;q=x', false],
  ])('is used with Accept-Encoding %s: %s', (accepted, gzip) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const response = respond(LARGE, headers);
    expect(response.headers['Content-Encoding']).toBe(gzip ? 'gzip' : undefined);
    expect(response.headers.ETag).toBe(`"${encode(LARGE, '').etag}${gzip ? '-gzip' : ''}"`);
    expect(gzip ? gunzipSync(response.body as Uint8Array).toString() : response.body).toBe(LARGE);
    expect(response.headers.Vary).toBe('Accept-Encoding');
  });
});

describe('If-None-Match', () => {
  const { etag } = encode(SMALL, '');
  test.each([
    [`"${etag}"`, 304],
    [`W/"${etag}"`, 304],
    [`"${etag}-gzip"`, 304],
    [`W/"${etag}-gzip"`, 304],
    [`"other", "${etag}"`, 304],
    ['*', 304],
    [`${etag}`, 200],
    [`"${etag}x"`, 200],
    [`"x${etag}"`, 200],
    // `W/` and `-gzip` count only where they belong.
    [`"${etag.slice(0, 3)}W/${etag.slice(3)}"`, 200],
    [`-gzip"${etag}"`, 200],
    ['"other"', 200],
    ['', 200],
  ])('%s is a %d', (tag, status) => {
    const response = respond(SMALL, { 'if-none-match': tag });
    expect(response.status).toBe(status);
    // A 304 has the same headers as the 200, and no body.
    expect(response.body).toBe(status === 304 ? '' : SMALL);
    expect(response.headers).toEqual(respond(SMALL).headers);
    expect(response.served).toEqual(respond(SMALL).served);
  });
});

describe('an error response', () => {
  test.each<[ErrorCode, Error | undefined, boolean]>([
    ['UPSTREAM_UNAVAILABLE', new Error('all have failed'), true],
    ['UPSTREAM_UNAVAILABLE', undefined, false],
    ['INTERNAL', new Error('a defect'), false],
    ['INTERNAL', undefined, false],
  ])('with %s because of %s counts as unanswered: %s', (code, cause, unanswered) => {
    expect(problemResponse(new ApiError(code, 'Why.', { cause }), 'r').unanswered).toBe(unanswered);
  });

  test('has the headers and the mistakes of its error, but does not reveal the cause', () => {
    const errors = [{ parameter: 'limit', message: 'must be a number' }];
    const cause = new Error('https://node.example/key');
    const error = new ApiError('INVALID_REQUEST', 'limit must be a number.', {
      errors,
      headers: { Allow: 'GET' },
      cause,
    });
    expect(error.cause).toBe(cause);
    expect(problemResponse(error, 'r').headers.Allow).toBe('GET');
    expect(toProblem(error, 'r').errors).toEqual(errors);
    expect(JSON.stringify(problemResponse(error, 'r'))).not.toContain('node.example');
  });
});

test.each([
  ['/prod/', '/', 'docs'],
  ['/prod', '/', 'prod/docs'],
  ['/', '/', 'docs'],
  ['/prod/metrics', '/metrics', 'docs'],
  ['/metrics/', '/metrics/', '../docs'],
  ['/prod/a/b', '/a/b', '../docs'],
])('a redirect from %s (path %s) to the docs goes to %s, and is not cached', (url, path, location) => {
  expect(pageResponse({ ...request(), url, path }, 'docs')).toEqual({
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', Vary: 'Accept' },
    body: '',
  });
});

test('a service is deprecated from 15 August 2026, or its last day, and links the guide after all else', () => {
  expect(Date.parse('2026-08-15T00:00:00Z')).toBe(1_786_752_000_000);
  const { Sunset = '', Deprecation } = sunsetHeaders(' "2026-01-31" ');
  expect(Deprecation).toBe(`@${Date.parse(Sunset) / 1_000}`);
  const { Link } = sunsetHeaders('2026-12-31', '/dev', '<?cursor=2>; rel="next"');
  expect(Link).toBe('<?cursor=2>; rel="next", </dev/docs/guide>; rel="sunset"');
});
