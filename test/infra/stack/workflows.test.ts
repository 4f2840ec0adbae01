import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The workflows on GitHub. */

const FOLDER = '.github/workflows';
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

test.each(readdirSync(FOLDER))('%s may do nothing by default, and pins its actions by commit', (name) => {
  expect(textOf(name)).toMatch(/^permissions: \{\}$/m);
  const actions = [...textOf(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  expect(textOf(name)).not.toMatch(/secrets\.|pull_request_target/);
});

test('credentials are only where no package runs, after a deployment is built and kept', () => {
  const withToken = readdirSync(FOLDER).filter((name) => textOf(name).includes('id-token: write'));
  expect(withToken).toEqual(['deploy.yml', 'verify.yml']);
  const [, report = ''] = textOf('verify.yml').split(/^ {2}report:$/m);
  expect(report).not.toMatch(/npm|checkout/);
  // A page only for a wrong figure, not for what could not be compared.
  expect(report).toContain("needs.verify.outputs.status == '1'");
  const steps = [
    'npm ci',
    'npm run synth',
    'upload-artifact@',
    'configure-aws-credentials@',
    'cdk deploy --app release',
  ];
  const places = steps.map((step) => textOf('deploy.yml').indexOf(step));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

const folder = temporaryFolder('workflow');

/** Runs the script of the deployment's step that contains this text as GitHub does, with a command that prints this. */
function run(text: string, command: string, output: string, env: Record<string, string> = {}): number | null {
  const step = textOf('deploy.yml')
    .split(/^ {6}- /m)
    .find((one) => one.includes(text));
  const [, script = ''] = /run: \|\n((?: {10}.*\n)+)/.exec(step ?? '') ?? [];
  writeFileSync(join(folder, 'output'), output);
  writeFileSync(join(folder, command), `#!/bin/sh\ncat ${join(folder, 'output')}\n`, { mode: 0o755 });
  return spawnSync('bash', ['-eo', 'pipefail', '-c', script.replaceAll(/\$\{\{ .*?default_branch \}\}/g, 'main')], {
    cwd: folder,
    env: {
      ...env,
      PATH: `${folder}:${process.env.PATH}`,
      GITHUB_OUTPUT: join(folder, 'outputs'),
      GITHUB_REPOSITORY: 'o/r',
    },
  }).status;
}

const OWN = {
  path: '.github/workflows/deploy.yml@refs/heads/main',
  event: 'workflow_dispatch',
  head_branch: 'main',
  head_repository: { full_name: 'o/r' },
  head_sha: 'c0ffee',
};

test.each<[number, object, string]>([
  [0, {}, '12'],
  [1, { path: '.github/workflows/ci.yml' }, '12'],
  [1, { head_branch: 'feature' }, '12'],
  [1, { event: 'pull_request' }, '12'],
  [1, { head_repository: { full_name: 'somebody/r' } }, '12'],
  [1, {}, '12/../../x'],
])('a roll-back is only to a deployment of the default branch: %d for %j, run %s', (code, change, RUN) => {
  expect(run('gh api', 'gh', JSON.stringify({ ...OWN, ...change }), { RUN })).toBe(code);
});

test.each<[string, number]>([
  ['[~] AWS::Lambda::Function Prices Prices1 \n[-] AWS::CloudWatch::Alarm OldAlarm Old1 destroy', 0],
  ['[~] AWS::DynamoDB::Table Durable/HistoryTable DurableHistoryTable1 ', 0],
  ['[-] AWS::DynamoDB::Table CacheTable CacheTable1 destroy', 1],
  ['[-] AWS::DynamoDB::Table Durable/LedgerTable DurableLedgerTable1 orphan', 1],
  ['[~] AWS::DynamoDB::Table Durable/LedgerTable DurableLedgerTable1 replace', 1],
])('a deployment that deletes or replaces a table or bucket is refused: %j ends with %d', (diff, code) => {
  expect(run('cdk diff', 'npx', `Stack StakingData-prod\nResources\n${diff}\n`)).toBe(code);
});
