import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { lambdaContext, proxyEvent } from '../../infra/local/event.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { recordDays, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** What holds for every endpoint, whatever it answers. */

/** One order for all definitions, so that the eye finds the policy of each in the same place. */
const DEFINITION_ORDER = [
  ...['path', 'tag', 'summary', 'description', 'page'],
  ...['freshSeconds', 'momentary', 'shared', 'reads'],
  ...['input', 'canonical', 'response', 'rows', 'exampleRequest', 'example', 'notFound', 'statusOf', 'handle'],
];

tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
  // So that nothing is empty.
  await recordLedger();
  await recordDays(40);
});

describe.each(Object.entries(ENDPOINTS))('%s', (_, endpoint: Endpoint) => {
  const get = async (
    headers: Record<string, string> = {},
    container = runtime,
    url: string = endpoint.exampleRequest,
  ) => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url, headers });
    return createHandler(endpoint, container)(event, lambdaContext());
  };

  test('documents a response that its schema takes as it is', () => {
    expect(endpoint.response().parse(endpoint.example)).toEqual(endpoint.example);
  });

  test('answers what its schema says and nothing else', async () => {
    const { statusCode, body } = await get();
    expect(statusCode).toBe(200);
    const answer = JSON.parse(body);
    expect(endpoint.response().parse(answer)).toEqual(answer);
  });

  test('is written in the order of all others: what it is, its policy, what it takes, what it answers', () => {
    expect(Object.keys(endpoint)).toEqual(DEFINITION_ORDER.filter((name) => name in endpoint));
  });

  if (endpoint.shared === false) {
    test('is made from what tables hold already, so another container asks no upstream', async () => {
      await get();
      const other = startOnDevnet();
      expect((await get({}, other)).statusCode).toBe(200);
      expect(other.telemetry.attempts).toEqual([]);
    });
  }

  if ('from' in endpoint.input.shape) {
    test('answers of one second, and not from a second to the one before', async () => {
      const path = endpoint.exampleRequest.replace(/\?.*/, '');
      // Neither is a boundary of days or hours.
      const between = (from: number, to: number) => get({}, runtime, `${path}?from=${from}&to=${to}`);
      expect((await between(1_789_000_001, 1_789_000_001)).statusCode).toBe(200);
      const { statusCode, body } = await between(1_789_000_002, 1_789_000_001);
      expect([statusCode, JSON.parse(body).errors]).toEqual([
        400,
        [{ parameter: 'from', message: 'must not be after to (1789000001)' }],
      ]);
      const wrong = await get({}, runtime, `${path}?from=1789000002&to=1789000001&limit=0`);
      const parameters = JSON.parse(wrong.body).errors.map(({ parameter }: { parameter: string }) => parameter);
      expect(parameters.sort()).toEqual(['from', 'limit']);
    });
  }

  test('names in its path exactly the path parameters that it takes', () => {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.input.shape)).toEqual(expect.arrayContaining(inPath));
  });
});
