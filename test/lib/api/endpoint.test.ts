import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Context as LambdaContext } from 'aws-lambda';
import * as z from 'zod/mini';
import { createHandler, defineEndpoint, type Handler } from '../../../lib/api/endpoint.ts';
import { unit } from '../../../lib/api/fields.ts';
import type { Services } from '../../../lib/api/services.ts';
import { Cache, type Dataset, type RequestContext } from '../../../lib/cache/cache.ts';
import { type Clock, systemClock } from '../../../lib/runtime/clock.ts';
import { ENDPOINT_LIMITS } from '../../../lib/runtime/context.ts';
import { deadline, deadlineExceeded, optionally } from '../../../lib/runtime/deadline.ts';
import { ApiError, badParameter } from '../../../lib/runtime/errors.ts';
import { ifAvailable } from '../../../lib/runtime/if-known.ts';
import { clockAt } from '../../support/clock.ts';
import { lambdaContext, proxyEvent } from '../../support/events.ts';
import { type RecordingTelemetry, recordingTelemetry } from '../../support/telemetry.ts';

/** Handlers called directly, for what a server in between would hide. */

let telemetry: RecordingTelemetry;
let clock: Clock;
let context: Services;

beforeEach(() => {
  telemetry = recordingTelemetry();
  clock = systemClock;
  const cache = new Cache('test', undefined, telemetry);
  context = contextOf(cache);
});

afterEach(() => {
  delete process.env.ENDS_ON;
  jest.restoreAllMocks();
});

/** Without a chain or settings. */
const contextOf = (cache: Cache) => ({ telemetry, clock, limits: ENDPOINT_LIMITS, cache }) as unknown as Services;

interface Options {
  freshSeconds?: number;
  tooLong?: ApiError;
  handle?: (input: { id?: string | undefined }, context: RequestContext<Services>) => Promise<object>;
}

function handlerOf({ freshSeconds = 60, handle = async () => ({ a: 1 }), ...options }: Options = {}): Handler {
  const endpoint = defineEndpoint({
    path: '/things/{id}',
    tag: 'Test',
    summary: 'A thing',
    description: 'For tests.',
    params: { id: z.optional(z.string().check(z.regex(/^[a-z]+$/, { error: 'must be letters' }))) },
    body: unit(
      () => z.record(z.string(), z.unknown()),
      (body: object) => body as Record<string, unknown>,
    ),
    exampleRequest: '/things/a',
    ...{ freshSeconds, handle, ...options },
  });
  return createHandler(endpoint, { telemetry, clock, context: async () => context });
}

const call = (handler: Handler, request?: Parameters<typeof proxyEvent>[0], remainingMs?: number) =>
  handler(proxyEvent(request), lambdaContext(remainingMs));

test('a body of more than 4 MB is a 400 that says what to ask for, before Lambda refuses it', async () => {
  const tooLong = badParameter('id', 'has too many entries');
  const bytes = async (length: number, id: string) => {
    const handler = handlerOf({ tooLong, handle: async () => ({ a: 'x'.repeat(length - '{"a":""}'.length) }) });
    const { statusCode, body } = await call(handler, { params: { id } });
    return statusCode === 200 ? body.length : [statusCode, JSON.parse(body).errors];
  };
  expect(await bytes(4_000_000, 'a')).toBe(4_000_000);
  expect(await bytes(4_000_001, 'b')).toEqual([400, [{ parameter: 'id', message: 'has too many entries' }]]);
});

describe('a response', () => {
  test('to HEAD has the headers of GET, the length of its body, and no body, even if that is compressed', async () => {
    const handler = handlerOf({ handle: async () => ({ a: 'x'.repeat(2_000) }) });
    const headers = { 'accept-encoding': 'gzip' };
    await call(handler, { headers });
    const get = await call(handler, { headers });
    expect(get).toMatchObject({ isBase64Encoded: true, headers: { 'Content-Encoding': 'gzip' } });
    const head = await call(handler, { method: 'HEAD', headers });
    const length = String(Buffer.from(get.body, 'base64').length);
    expect(head).toEqual({ statusCode: 200, headers: { ...get.headers, 'Content-Length': length }, body: '' });
  });

  test('to a client that already has it is a 304 without a body', async () => {
    const handler = handlerOf();
    const etag = String((await call(handler)).headers?.ETag);
    expect(await call(handler, { headers: { 'If-None-Match': etag } })).toMatchObject({ statusCode: 304, body: '' });
  });

  test('has its request ID, CORS and security headers, even if it is an error', async () => {
    for (const request of [{}, { method: 'POST' }, { params: { id: '1' } }, { method: 'OPTIONS' }]) {
      const { headers } = await call(handlerOf(), request);
      expect(headers).toMatchObject({
        'X-Request-Id': 'test-request',
        'X-Content-Type-Options': 'nosniff',
        'Access-Control-Allow-Origin': '*',
      });
      expect(headers).not.toHaveProperty('Strict-Transport-Security');
    }
  });

  test.each([
    ['POST', '/', '/', ''],
    ['OPTIONS', '/', '/', ''],
    ['POST', '/dev', '/', '/dev'],
    ['POST', '/dev/', '/', '/dev'],
    ['POST', '/dev/prices', '/prices', '/dev'],
  ])('of a service that ends says so (%s %s, path %s): the link begins with %j', async (method, url, path, stage) => {
    const event = proxyEvent({ method });
    Object.assign(event, { path, requestContext: { ...event.requestContext, path: url } });
    const headers = async () => (await handlerOf()(event, lambdaContext())).headers;
    expect(await headers()).not.toHaveProperty('Sunset');
    process.env.ENDS_ON = '2026-12-31';
    const ends = { Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT', Deprecation: '@1786752000' };
    expect(await headers()).toMatchObject({ ...ends, Link: `<${stage}/docs/guide>; rel="sunset"` });
  });

  test('with no freshness time is not cached', async () => {
    let made = 0;
    const handler = handlerOf({ freshSeconds: 0, handle: async () => ({ made: ++made }) });
    await call(handler);
    expect(await call(handler)).toMatchObject({ body: '{"made":2}', headers: { 'Cache-Control': 'no-store' } });
    expect(telemetry.counts).toEqual([]);
  });

  test('is fresh for 15 s at most if a source did not answer, and for its usual time with a lasting gap', async () => {
    const lacking = (reason: string) => ({ partial: ['claims'], reasons: { claims: reason } });
    const handler = handlerOf({ handle: async () => lacking('SOURCE_UNAVAILABLE') });
    expect((await call(handler)).headers?.['Cache-Control']).toContain('max-age=15,');
    const lasting = handlerOf({ handle: async () => lacking('NOT_INDEXED') });
    expect((await call(lasting, { params: { id: 'a' } })).headers?.['Cache-Control']).toContain('max-age=60,');
  });
});

describe('a failure', () => {
  const unavailable = (detail: string, cause?: Error) => new ApiError('UPSTREAM_UNAVAILABLE', detail, { cause });
  const failing = (error: unknown) =>
    handlerOf({
      handle: async () => {
        throw error;
      },
    });

  test('that is a defect is a 500 that reveals nothing, and is logged in full', async () => {
    const defect = new TypeError('https://node.example/key is undefined');
    const { statusCode, body } = await call(failing(defect));
    expect(statusCode).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ code: 'INTERNAL', detail: expect.not.stringContaining('node.example') });
    expect(telemetry.lines[0]).toEqual({ level: 'error', message: 'unexpected error', fields: { error: defect } });
    expect(telemetry.counts).toEqual([]);
  });

  const timeout = new Error('timeout');
  test.each<[string, number, ApiError, isLogged: boolean, string[]]>([
    ['of all sources counts for the alarm', 503, unavailable('down', timeout), true, ['CacheError']],
    ['without a failed source (no such figure) does not', 503, unavailable('no GGP price'), true, []],
    ["that is the client's own has no line of its own", 404, new ApiError('STAKER_NOT_FOUND', 'none'), false, []],
  ])('%s: %d', async (_, status, error, isLogged, counts) => {
    expect((await call(failing(error))).statusCode).toBe(status);
    const failures = isLogged ? [{ level: 'warn', message: 'request failed', fields: { error } }] : [];
    expect(telemetry.lines.slice(0, -1)).toEqual(failures);
    expect(telemetry.lines.at(-1)?.message).toBe('request');
    expect(telemetry.counts).toEqual(counts);
  });

  test('because of the method lists the methods that are allowed', async () => {
    expect(await call(handlerOf(), { method: 'DELETE' })).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'GET,HEAD,OPTIONS' },
    });
  });

  test.each(['%E0%A4%A', '%'])('to percent-decode %s names the parameter', async (id) => {
    const { statusCode, body } = await call(handlerOf(), { params: { id } });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).errors).toEqual([{ parameter: 'id', message: 'is not valid percent-encoding' }]);
  });
});

describe('the deadline of a request', () => {
  test("is Lambda's time limit less the time that a response takes", async () => {
    const now = Date.now();
    clock = clockAt(() => now);
    const left: number[] = [];
    const handler = handlerOf({
      freshSeconds: 0,
      handle: async () => {
        left.push(deadline() - now, optionally(deadline) - now);
        return {};
      },
    });
    for (const ms of [10_000, 3_000])
      await handler(proxyEvent(), { getRemainingTimeInMillis: () => ms } as LambdaContext);
    // 500 ms are reserved for the response; optional parts get 4 s.
    expect(left).toEqual([9_500, 4_000, 2_500, 2_500]);
  });

  test.each([60, 0])(
    'ends a request that hangs with a 504, and the next does not wait for it (fresh for %d s)',
    async (freshSeconds) => {
      let hanging = true;
      const handler = handlerOf({
        freshSeconds,
        handle: async () => (hanging ? new Promise<object>(() => {}) : { a: 2 }),
      });
      const ended = wait(900).then(() => 'timed out by Lambda');
      expect(await Promise.race([call(handler, {}, 900), ended])).toMatchObject({
        statusCode: 504,
        headers: { 'Cache-Control': 'no-store' },
      });
      hanging = false;
      expect(await call(handler)).toMatchObject({ statusCode: 200, body: '{"a":2}' });
    },
  );

  test('leaves time for the stale body, if there is one, even if loading a new one ignores it', async () => {
    let hanging = false;
    const handler = handlerOf({
      freshSeconds: 0.1,
      handle: async () => (hanging ? new Promise<object>(() => {}) : { a: 1 }),
    });
    await call(handler);
    await wait(150);
    hanging = true;
    expect(await call(handler, {}, 900)).toMatchObject({ statusCode: 200, headers: { 'X-Cache': 'stale' } });
  });

  const hang = () => new Promise<never>(() => {});

  test.each<[string, () => Promise<never>]>([
    [
      'runs out of time',
      () => wait(Math.max(0, deadline() - Date.now())).then(() => Promise.reject(deadlineExceeded())),
    ],
    ['never ends and ignores the deadline', hang],
  ])('lets a response omit an optional part that %s', async (_, read) => {
    const handler = handlerOf({
      handle: async (_, context) => ({ a: 1, extra: await ifAvailable(context, 'extra', read) }),
    });
    // An optional part gets no more time than the request.
    expect(await call(handler, {}, 1_100)).toMatchObject({ statusCode: 200, body: '{"a":1}' });
    expect(telemetry.lines[0]).toMatchObject({ level: 'warn', message: 'extra is not available' });
  });

  test('lets a response omit an optional part that has a defect, which is logged as one', async () => {
    const broken = () => Promise.reject(new TypeError('x is undefined'));
    const handler = handlerOf({
      handle: async (_, context) => ({ a: 1, extra: await ifAvailable(context, 'extra', broken) }),
    });
    expect(await call(handler)).toMatchObject({ statusCode: 200, body: '{"a":1}' });
    expect(telemetry.lines[0]).toMatchObject({ level: 'error', message: 'extra is not available' });
  });
});

describe('a dataset', () => {
  const numbers: Dataset<number[]> = { name: 'numbers', freshSeconds: 10, read: async () => [1] };

  test('sets the age of the response, and the block of a bare value', async () => {
    const block = { number: 7, timestamp: 1_789_158_328 };
    const dataset: Dataset<object> = { ...numbers, read: async () => ({ block }) };
    const handler = handlerOf({
      handle: async (_, own) => {
        await own.dataset(dataset);
        return 'bare' as unknown as object;
      },
    });
    expect((await call(handler)).headers).toMatchObject({ 'X-Block-Number': '7', 'X-Cache': 'miss' });
  });
});
