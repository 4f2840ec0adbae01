import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** The workflows of the repository's CI. */

const FOLDER = '.github/workflows';
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

test.each(readdirSync(FOLDER))('%s may do nothing by default, and pins its actions by commit', (name) => {
  expect(textOf(name)).toMatch(/^permissions: \{\}$/m);
  const actions = [...textOf(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(1);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  expect(textOf(name)).not.toMatch(/secrets\.|pull_request_target/);
});

test('a deployment is verified every hour, once its address is set', () => {
  const verify = textOf('verify.yml');
  expect(verify).toMatch(/- cron: ["']\d+ \* \* \* \*["']/);
  expect(verify).toContain("if: vars.VERIFY_URL != ''");
  expect(verify).toContain('npm run verify -- "$VERIFY_URL" --rpc "$VERIFY_RPC"');
});

describe('a deployment', () => {
  const deploy = textOf('deploy.yml');
  const place = (text: string) => {
    expect(deploy).toContain(text);
    return deploy.indexOf(text);
  };

  test('is asked for by hand, with a role that no other workflow can have', () => {
    expect(/^on:\n((?: {2}.*\n)+)/m.exec(deploy)?.[1]).toMatch(/^ {2}workflow_dispatch:\n/);
    const withToken = readdirSync(FOLDER).filter((name) => textOf(name).includes('id-token: write'));
    expect(withToken).toEqual(['deploy.yml']);
    expect(deploy).toMatch(/^ {4}environment: \$\{\{ inputs\.stage \}\}$/m);
  });

  test('is built before there are credentials, kept, deployed as it is kept, and verified', () => {
    const steps = [
      'npm ci',
      'npm run synth',
      'actions/upload-artifact@',
      'configure-aws-credentials@',
      'cdk deploy --app release',
      'npm run verify',
    ];
    const places = steps.map(place);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('of an earlier run is downloaded, and not built', () => {
    expect(deploy).toMatch(/if: inputs\.run == ''\n\s+run: npm run synth/);
    expect(deploy).toMatch(/if: inputs\.run != ''\n\s+uses: actions\/download-artifact@/);
  });
});

test('a release by hand is named after its commit, and says if the tree was dirty', () => {
  const names = [...readFileSync('docs/operations.md', 'utf8').matchAll(/--output releases\/\$\((.*?)\)/g)];
  expect(names.length).toBeGreaterThan(1);
  for (const [, command] of names) expect(command).toBe('git describe --always --dirty');
});
