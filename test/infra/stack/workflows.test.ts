import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
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

test('a deployment is verified every hour, once its address is set', () => {
  const verify = textOf('verify.yml');
  expect(verify).toMatch(/- cron: ["']\d+ \* \* \* \*["']/);
  expect(verify).toContain("if: vars.VERIFY_URL != ''");
  expect(verify).toContain('npm run verify -- "$VERIFY_URL" --rpc "$VERIFY_RPC"');
  // Credentials only where no package runs.
  const [, report = ''] = verify.split(/^ {2}report:$/m);
  expect(report).toContain('aws sns publish --topic-arn "$PAGE_TOPIC"');
  expect(report).not.toMatch(/npm|checkout/);
  // A page only for a wrong figure, not for what could not be compared.
  expect(report).toContain("needs.verify.outputs.status == '1'");
});

describe('a deployment', () => {
  const deploy = textOf('deploy.yml');
  const place = (text: string) => {
    expect(deploy).toContain(text);
    return deploy.indexOf(text);
  };

  test('is requested by hand, on the default branch, with a role that trusts one environment', () => {
    expect(/^on:\n((?: {2}.*\n)+)/m.exec(deploy)?.[1]).toMatch(/^ {2}workflow_dispatch:\n/);
    expect(deploy).toContain('if: github.ref_name == github.event.repository.default_branch');
    expect(deploy).toMatch(/^ {4}environment: \$\{\{ inputs\.stage \}\}$/m);
    const withToken = readdirSync(FOLDER).filter((name) => textOf(name).includes('id-token: write'));
    expect(withToken).toEqual(['deploy.yml', 'verify.yml']);
  });

  test('is built before there are credentials, kept, deployed as it is kept, and verified', () => {
    const steps = [
      'npm ci',
      'npm run synth',
      'actions/upload-artifact@',
      'configure-aws-credentials@',
      'cdk diff --app release',
      'cdk deploy --app release',
      'npm run verify',
    ];
    const places = steps.map(place);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  /** The script of the step that contains this text. */
  const scriptOf = (text: string): string => {
    const step = deploy.split(/^ {6}- /m).find((one) => one.includes(text)) ?? '';
    const [, script = ''] = /run: \|\n((?: {10}.*\n)+)/.exec(step) ?? [];
    return script
      .replaceAll(/^ {10}/gm, '')
      .replaceAll(/\$\{\{ github\.event\.repository\.default_branch \}\}/g, 'main');
  };

  const folder = temporaryFolder('workflow');

  /** Runs a script as GitHub does, with these outputs of commands in place of the commands. */
  function run(script: string, commands: Record<string, string>, env: Record<string, string> = {}): number | null {
    for (const [name, output] of Object.entries(commands)) {
      writeFileSync(join(folder, 'output'), output);
      writeFileSync(join(folder, name), `#!/bin/sh\ncat ${join(folder, 'output')}\n`, { mode: 0o755 });
    }
    const path = `${folder}:${process.env.PATH}`;
    return spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...env, PATH: path, GITHUB_OUTPUT: join(folder, 'outputs'), GITHUB_REPOSITORY: 'o/r' },
    }).status;
  }

  const OWN = {
    path: '.github/workflows/deploy.yml',
    event: 'workflow_dispatch',
    head_branch: 'main',
    head_repository: { full_name: 'o/r' },
    head_sha: 'c0ffee',
  };

  test.each<[string, object, number]>([
    ['its own run on the default branch', {}, 0],
    ['the same, as GitHub also names it', { path: '.github/workflows/deploy.yml@refs/heads/main' }, 0],
    ['another workflow', { path: '.github/workflows/ci.yml' }, 1],
    ['another branch', { head_branch: 'feature' }, 1],
    ['a pull request', { event: 'pull_request' }, 1],
    ['a fork', { head_repository: { full_name: 'somebody/r' } }, 1],
  ])('checks whose artefact it rolls back to: %s', (_, change, code) => {
    const status = run(scriptOf('gh api'), { gh: JSON.stringify({ ...OWN, ...change }) }, { RUN: '12' });
    expect(status).toBe(code);
  });

  test('does not take a run that is no number', () => {
    expect(run(scriptOf('gh api'), { gh: JSON.stringify(OWN) }, { RUN: '12/../../x' })).toBe(1);
  });

  test.each<[string, number]>([
    ['[~] AWS::Lambda::Function Prices Prices1 \n[-] AWS::CloudWatch::Alarm OldAlarm Old1 destroy', 0],
    ['[~] AWS::DynamoDB::Table Durable/HistoryTable DurableHistoryTable1 ', 0],
    ['[-] AWS::DynamoDB::Table CacheTable CacheTable1 destroy', 1],
    ['[-] AWS::DynamoDB::Table Durable/LedgerTable DurableLedgerTable1 orphan', 1],
    ['[~] AWS::DynamoDB::Table Durable/LedgerTable DurableLedgerTable1 replace', 1],
  ])('is refused if it deletes or replaces a table or bucket: %j ends with %d', (diff, code) => {
    expect(run(scriptOf('cdk diff'), { npx: `Stack StakingData-prod\nResources\n${diff}\n` })).toBe(code);
  });
});

test('a release by hand is named after its commit, and says if the tree was dirty', () => {
  const names = [...readFileSync('docs/operations.md', 'utf8').matchAll(/--output releases\/\$\((.*?)\)/g)];
  expect(names.length).toBeGreaterThan(1);
  for (const [, command] of names) expect(command).toBe('git describe --always --dirty');
});
