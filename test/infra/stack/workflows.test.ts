import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The workflows on GitHub. */

const FOLDER = '.github/workflows';
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
/** ARNs are secrets so that logs don't show them; a key never is one. */
const UNSAFE = /secrets\.(?!AWS_ROLE|VERIFY_ROLE|PAGE_TOPIC)|vars\.\w*(ROLE|TOPIC)|pull_request_target/;

test.each(readdirSync(FOLDER))('%s may do nothing by default, and pins its actions by commit', (name) => {
  expect(textOf(name)).toMatch(/^permissions: \{\}$/m);
  const actions = [...textOf(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  expect(textOf(name)).not.toMatch(UNSAFE);
});

/** The jobs of a workflow, by name. */
const jobsOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    (textOf(name).split(/^jobs:\n/m)[1] ?? '').split(/^ {2}(?=\w+:$)/m).map((job) => [job.split(':')[0], job]),
  );

test('credentials are only in jobs that install no packages', () => {
  const jobs = readdirSync(FOLDER).flatMap((name) =>
    Object.entries(jobsOf(name)).map(([job, text]) => [`${name} ${job}`, text] as const),
  );
  const trusted = jobs.filter(([, text]) => /id-token: write|configure-aws-credentials|secrets\./.test(text));
  expect(trusted.map(([name]) => name)).toEqual(['deploy.yml deploy', 'verify.yml report']);
  for (const [, text] of trusted) {
    expect(text).toMatch(/^ {4}environment: /m);
    expect(text).toContain('mask-aws-account-id: true');
    // `npm pack` downloads a file; that the CLI depends on nothing is what makes it enough.
    expect(text).not.toMatch(/\bnp[mx] (?!pack )/);
  }
  expect(JSON.parse(readFileSync('node_modules/aws-cdk/package.json', 'utf8')).dependencies ?? {}).toEqual({});
  // A page only for a wrong figure, not for what could not be compared.
  expect(jobsOf('verify.yml').report).toContain("needs.verify.outputs.status == '1'");
});

const folder = temporaryFolder('workflow');
const OF_GITHUB = { GITHUB_OUTPUT: join(folder, 'outputs'), GITHUB_REPOSITORY: 'o/r' };

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
    env: { ...env, ...OF_GITHUB, PATH: `${folder}:${process.env.PATH}` },
  }).status;
}

const OWN = {
  path: '.github/workflows/deploy.yml@refs/heads/main',
  event: 'workflow_dispatch',
  head_branch: 'main',
  head_repository: { full_name: 'o/r' },
  head_sha: 'c0ffee',
  // GitHub's answer to the comparison of the commit with the branch.
  status: 'behind',
};

test.each<[number, object, string]>([
  [0, {}, '12'],
  [1, { path: '.github/workflows/ci.yml' }, '12'],
  [1, { head_branch: 'feature' }, '12'],
  [1, { status: 'diverged' }, '12'],
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
  expect(run('cdk diff', 'node', `Stack StakingData-prod\nResources\n${diff}\n`)).toBe(code);
});

test.each([
  ['the bytes of the lock file', 0],
  ['other bytes', 1],
])('the CDK CLI is unpacked with the hash of the lock file only: %s end with %d', (bytes, code) => {
  writeFileSync(join(folder, 'cdk'), '');
  spawnSync('tar', ['-czf', 'aws-cdk-1.2.3.tgz', 'cdk'], { cwd: folder });
  const hash = createHash('sha512').update(readFileSync(join(folder, 'aws-cdk-1.2.3.tgz')));
  const integrity = `sha512-${code === 0 ? hash.digest('base64') : hash.update(bytes).digest('base64')}`;
  const lock = { packages: { 'node_modules/aws-cdk': { version: '1.2.3', integrity } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  expect(run('npm pack', 'npm', '')).toBe(code);
});
