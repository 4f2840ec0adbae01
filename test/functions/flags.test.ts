import { expect, test } from '@jest/globals';
import { flagsKey } from '../../functions/flags/key.ts';
import { flags } from '../../functions/flags.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/defaults.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** The endpoints alone: what they answer from is tested in `test/flags`. */

tablesForEachTest();

const one = (runtime: TestRuntime, key: string) => send(createHandler(flagsKey, runtime), { params: { key } });

test('all flags are answered as they are', async () => {
  const { status, body } = await send(createHandler(flags, startOnDevnet()));
  expect(status).toBe(200);
  expect(body).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
});

test('while AppConfig does not answer, they are answered all the same', async () => {
  process.env.AWS_ENDPOINT_URL_APPCONFIGDATA = await deadUrl();
  const { status, body } = await send(
    createHandler(flags, startOnDevnet({ FLAGS_SOURCE: 'staking/production/flags' })),
  );
  expect(status).toBe(200);
  expect(body).toEqual({ environment: 'production', ...DEFAULT_FLAGS });
});

test('one flag stands alone, with its attributes beside it', async () => {
  const { body } = await one(startOnDevnet(), 'windDown');
  const { version, updatedAt } = DEFAULT_FLAGS;
  expect(body).toEqual({
    key: 'windDown',
    ...DEFAULT_FLAGS.flags.windDown,
    environment: 'devnet',
    version,
    updatedAt,
  });
});

test.each([
  ['noSuchFlag', 404, 'FLAG_NOT_FOUND'],
  ['constructor', 404, 'FLAG_NOT_FOUND'],
  ['1st', 400, 'INVALID_REQUEST'],
  ['a'.repeat(65), 400, 'INVALID_REQUEST'],
])('%s is a %d', async (key, status, code) => {
  expect(await one(startOnDevnet(), key)).toMatchObject({ status, body: { code } });
});
