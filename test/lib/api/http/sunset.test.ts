import { afterEach, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../../functions/index.ts';
import type { Endpoint } from '../../../../lib/api/definition.ts';
import { createHandler } from '../../../../lib/api/endpoint.ts';
import { sunsetHeaders } from '../../../../lib/api/http/response.ts';
import { systemClock } from '../../../../lib/runtime/clock.ts';
import { lambdaContext, proxyEvent, send } from '../../../support/events.ts';
import { recordingTelemetry } from '../../../support/telemetry.ts';

afterEach(() => {
  delete process.env.ENDS_ON;
});

const END = {
  Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
  Deprecation: '@1786752000',
  Link: '</docs/guide>; rel="sunset"',
};

test('a service that ends says when, and where its archive will be, by RFC 8594 and RFC 9745', () => {
  expect(sunsetHeaders('2026-12-31')).toEqual(END);
  expect(new Date(1_786_752_000_000).toISOString()).toBe('2026-08-15T00:00:00.000Z');
  expect(sunsetHeaders(undefined)).toEqual({});
});

test('it is deprecated before it ends, whenever that is', () => {
  const { Sunset, Deprecation } = sunsetHeaders('2026-01-31') as Record<string, string>;
  expect(Deprecation).toBe(`@${Date.parse(Sunset as string) / 1_000}`);
});

describe('links', () => {
  test('of an answer come first, and begin with the stage, as API Gateway’s own URLs do', () => {
    const { Link } = sunsetHeaders('2026-12-31', '/dev', '<?cursor=2>; rel="next"');
    expect(Link).toBe('<?cursor=2>; rel="next", </dev/docs/guide>; rel="sunset"');
  });
});

test.each(['POST', 'OPTIONS'])('every answer of a function has them (%s)', async (method) => {
  const runtime = {
    telemetry: recordingTelemetry(),
    clock: systemClock,
    context: () => Promise.reject(new Error('not asked')),
  };
  const ask = () => send(createHandler(ENDPOINTS.prices as Endpoint, runtime), { method });
  expect(Object.keys((await ask()).headers)).not.toContain('Sunset');
  process.env.ENDS_ON = '2026-12-31';
  expect((await ask()).headers).toMatchObject(END);
});

test.each([
  ['/dev', '/'],
  ['/dev/', '/'],
  ['/dev/prices', '/prices'],
])('the link of %s (path %s) begins with the stage', async (url, path) => {
  process.env.ENDS_ON = '2026-12-31';
  const runtime = {
    telemetry: recordingTelemetry(),
    clock: systemClock,
    context: () => Promise.reject(new Error('not asked')),
  };
  const event = proxyEvent({ method: 'POST' });
  event.path = path;
  event.requestContext.path = url;
  const { headers } = await createHandler(ENDPOINTS.prices as Endpoint, runtime)(event, lambdaContext());
  expect(headers?.Link).toBe('</dev/docs/guide>; rel="sunset"');
});
