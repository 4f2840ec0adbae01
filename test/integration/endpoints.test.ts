import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../../infra/local/event.ts';
import { EXAMPLE_REQUESTS } from '../../infra/local/example-requests.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { runRecorder } from '../../lib/history/recorder.ts';
import { historyOf } from '../../lib/history/store.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** What holds for every endpoint, whatever it answers. */

let database: LocalDynamoDB;
let runtime: TestRuntime;

beforeAll(async () => {
  database = await startTables();
  runtime = startOnDevnet();
  const { chain } = runtime.opened;
  let boundaries = 0;
  // So that no history is empty.
  await runRecorder({ chain, telemetry: runtime.telemetry, store: historyOf(runtime.opened) }, 1_700_000_000, {
    parallel: 4,
    mayGoOn: () => boundaries++ < 40,
  });
}, 30_000);
afterAll(() => database.stop());

test('there is an example request for each, and no other', () => {
  expect(Object.keys(EXAMPLE_REQUESTS).sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

describe.each(Object.entries(ENDPOINTS))('%s', (file, endpoint: Endpoint) => {
  const get = async (headers: Record<string, string> = {}) => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url: EXAMPLE_REQUESTS[file] as string, headers });
    return createHandler(endpoint, runtime)(event, lambdaContext());
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

  test('names in its path exactly the path parameters that it takes', () => {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.input.shape)).toEqual(expect.arrayContaining(inPath));
  });
});
