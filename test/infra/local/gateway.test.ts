import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startGateway } from '../../../infra/local/gateway.ts';
import { stoppedAfterEach } from '../../support/servers.ts';

/** Which responses the local gateway keeps; `test/integration/http.test.ts` compares them with those of the handlers. */

const NOW = 1_790_000_000_000;
const stopped = stoppedAfterEach();
let now: number;

beforeEach(() => {
  now = NOW;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A gateway whose only route counts how often it is asked: the count is the body. */
async function startCounting(state: 'hit' | 'miss' = 'hit') {
  let asked = 0;
  const { url } = stopped(
    await startGateway({
      port: 0,
      routes: [
        {
          template: '/things',
          answer: async (event) => ({
            statusCode: 200,
            headers: { 'X-Request-Id': event.requestContext.requestId, 'X-Cache': state },
            body: `${++asked}`,
          }),
        },
      ],
    }),
  );
  return async (path = '/things', init?: RequestInit) => {
    const response = await fetch(url + path, init);
    return { body: await response.text(), id: response.headers.get('X-Request-Id') };
  };
}

test('a hit is made once a second, and has an ID for each request', async () => {
  const ask = await startCounting();
  const answers = [await ask(), await ask()];
  now += 999;
  answers.push(await ask());
  expect(answers.map(({ body }) => body)).toEqual(['1', '1', '1']);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
  now += 1;
  expect((await ask()).body).toBe('2');
  expect((await ask()).body).toBe('2');
});

test('a response that is no hit is made anew', async () => {
  const ask = await startCounting('miss');
  expect([(await ask()).body, (await ask()).body]).toEqual(['1', '2']);
});

test('a request with another path, query, method or header is another one', async () => {
  const ask = await startCounting();
  await ask();
  const others = [
    await ask('/things/'),
    await ask('/things?a=b'),
    await ask('/things', { headers: { Accept: 'text/csv' } }),
    await ask('/things', { headers: { 'If-None-Match': '"a"' } }),
    await ask('/things', { method: 'OPTIONS' }),
  ];
  expect(others.map(({ body }) => body)).toEqual(['2', '3', '4', '5', '6']);
  expect((await ask()).body).toBe('1');
});

test('only some responses are kept', async () => {
  const ask = await startCounting();
  for (let count = 1; count <= 101; count++) expect((await ask(`/things?${count}`)).body).toBe(`${count}`);
  expect((await ask('/things?101')).body).toBe('101');
  expect((await ask('/things?1')).body).toBe('102');
});
