import { expect, test } from '@jest/globals';
import { flagsKey } from '../../functions/flags/key.ts';
import { flags } from '../../functions/flags.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/flags.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** Only the endpoints. The flags themselves are tested in `test/lib/flags`. */

tablesForEachTest();

const one = (runtime: TestRuntime, key: string) => sendTo(flagsKey, runtime, { params: { key } });

test('/flags returns all flags', async () => {
  const body = await bodyFrom(flags, startOnDevnet());
  expect(body).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
});

test('/flags/{key} returns one flag with its attributes', async () => {
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
])('/flags/%s is a %d', async (key, status, code) => {
  expect(await one(startOnDevnet(), key)).toMatchObject({ status, body: { code } });
});
