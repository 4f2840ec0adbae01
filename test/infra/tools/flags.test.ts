import { expect, test } from '@jest/globals';
import { withDatasets } from '../../../lib/cache/cache.ts';
import { DEFAULT_FLAGS } from '../../../lib/flags/flags.ts';
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

test('sets fields of a flag for everybody, keeps the others, takes them back, and prints what is in effect', async () => {
  const { windDown, ...others } = DEFAULT_FLAGS.flags;
  const listed = (changed: object = {}) =>
    Object.entries({ ...DEFAULT_FLAGS.flags, ...changed })
      .map(([key, flag]) => `${key} ${JSON.stringify(flag)} ${key in changed ? '(set)' : '(default)'}\n`)
      .join('');
  expect(await flags()).toEqual({ status: 0, output: listed() });
  const off = { ...windDown, enabled: false };
  expect(await flags('set', 'windDown', 'false')).toEqual({ status: 0, output: listed({ windDown: off }) });
  expect(await read()).toMatchObject({ version: '1', flags: { ...others, windDown: off } });
  const later = { ...off, withdrawalsUntil: '2027-01-31' };
  const { output } = await flags('set', 'windDown', '{"withdrawalsUntil":"2027-01-31"}');
  expect(output).toBe(listed({ windDown: later }));
  expect(await read()).toMatchObject({ version: '2', flags: { ...others, windDown: later } });
  expect((await flags('unset', 'windDown')).output).toBe(listed());
  expect((await read()).flags.windDown).toEqual(windDown);
});

test.each([
  [['set', 'windDown'], /^usage: /],
  [['set', 'windDown', 'true', 'x'], /^usage: /],
  [['unset', 'windDown'], /^usage: /],
  [['change'], /^usage: /],
  [['set', 'windown', 'true'], /^there is no flag windown: use one of ggAvaxDeposits, .*windDown/],
  [['set', 'windDown', 'on'], /^not a value of a flag: on\. /],
  [
    ['set', 'windDown', '{"until":1}'],
    /^windDown does not take until: use enabled \(boolean\), operationsEnded \(string\)/,
  ],
  [['set', 'windDown', '{"enabled":"yes"}'], /^windDown does not take enabled: /],
])('%j is refused in one line, and changes nothing', async (args, message) => {
  const { status, output } = await flags(...args);
  expect([status, output.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
  expect((await read()).version).toBe('default');
});
