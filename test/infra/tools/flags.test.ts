import { expect, test } from '@jest/globals';
import { withDatasets } from '../../../lib/cache/dataset.ts';
import { DEFAULT_FLAGS } from '../../../lib/flags/defaults.ts';
import { flagsDataset } from '../../../lib/flags/flags-dataset.ts';
import { startContainer } from '../../support/runtime.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { run } from '../run.ts';

/** `npm run flags` as an operator runs it: in a process of its own, with a real table. */

tablesForEachTest();

async function flags(...args: string[]): Promise<{ status: number | null; output: string }> {
  const env = { ...process.env, NETWORK: 'devnet', HISTORY_TABLE: 'history' };
  const { code, output } = run('infra/tools/flags.ts', args, env);
  return { status: await code, output: output.text };
}

/** Returns the flags that a newly started function would read. */
const read = () => flagsDataset.read(withDatasets(startContainer({ NETWORK: 'devnet' }).opened, []));

test('sets a flag for everybody, keeps its attributes, and takes it back', async () => {
  expect(await flags()).toEqual({ status: 0, output: '' });
  const { windDown, ...others } = DEFAULT_FLAGS.flags;
  const off = { ...windDown, enabled: false };
  expect(await flags('set', 'windDown', 'false')).toEqual({ status: 0, output: `windDown ${JSON.stringify(off)}\n` });
  expect(await read()).toMatchObject({ version: '1', flags: { ...others, windDown: off } });
  const before = Math.floor(Date.now() / 1_000);
  expect((await flags('set', 'limit', '{"enabled":true,"most":5}')).status).toBe(0);
  const { version, updatedAt, flags: all } = await read();
  expect([version, all.limit]).toEqual(['2', { enabled: true, most: 5 }]);
  expect(updatedAt).toBeGreaterThanOrEqual(before);
  expect(updatedAt).toBeLessThanOrEqual(Date.now() / 1_000);
  expect((await flags('unset', 'windDown')).output).toBe('limit {"enabled":true,"most":5}\n');
  expect((await read()).flags.windDown).toEqual(windDown);
});

test.each([
  [['set', 'windDown'], /^usage: /],
  [['set', 'windDown', 'true', 'x'], /^usage: /],
  [['unset', 'windDown'], /^usage: /],
  [['change'], /^usage: /],
  [['set', 'Wind', 'true'], /^not a flag: Wind true\. /],
  [['set', 'windDown', 'on'], /^not a flag: windDown on\. /],
  [['set', 'windDown', '{"until":1}'], /^not a flag/],
])('%j is refused in one line, and changes nothing', async (args, message) => {
  const { status, output } = await flags(...args);
  expect([status, output.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
  expect((await read()).version).toBe('default');
});
