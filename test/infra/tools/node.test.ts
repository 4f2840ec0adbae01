import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LAUNCHER = 'infra/tools/node.cjs';

/** Runs `script` through the launcher of the project in `folder`. */
function launch(script: string, folder = '.') {
  return spawnSync(process.execPath, [join(folder, LAUNCHER), '--eval', script], { encoding: 'utf8' });
}

test('the program gets Node 24, also by name, and its exit code is the launcher’s', () => {
  const { stdout, status } = launch(`
    const { execSync } = require('node:child_process');
    console.log(process.version, execSync('node --version').toString().trim());
    process.exitCode = 7;
  `);
  expect(stdout).toMatch(/^(v(?:2[4-9]|[3-9]\d)\.\S+) \1\n$/);
  expect(status).toBe(7);
});

test('an installation without development packages, or of another platform, is one line', () => {
  const folder = temporaryFolder('launcher');
  mkdirSync(join(folder, 'infra/tools'), { recursive: true });
  cpSync(LAUNCHER, join(folder, LAUNCHER));
  const { stderr, status } = launch('', folder);
  expect(stderr).toMatch(/^Packages are missing: run `npm ci --include=dev`/);
  expect(status).toBe(1);
  mkdirSync(join(folder, 'node_modules/esbuild'), { recursive: true });
  const copied = launch('', folder);
  expect(copied.stderr).toMatch(/^Packages for \S+ are missing: run `npm ci --include=optional` on this machine\n$/);
  expect(copied.status).toBe(1);
});

test.each(['http://me:password@:bad', 'proxy.example:3128', ' '])(
  'HTTPS_PROXY=%j, at which Node would throw, is one line',
  (url) => {
    // This Node would throw, too.
    const env = { ...process.env, HTTPS_PROXY: url };
    const script = "process.env.NODE_USE_ENV_PROXY = '1'; process.argv.push('', ''); require('./infra/tools/node.cjs')";
    const { stderr, status } = spawnSync(process.execPath, ['--eval', script], { encoding: 'utf8', env });
    expect([stderr, status]).toEqual(['HTTPS_PROXY: must be an http or https URL\n', 1]);
  },
);

test('SIGTERM reaches the program, and the launcher ends after it', async () => {
  const script = `
    process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
    setInterval(() => {}, 1_000);
    console.log('started');
  `;
  const child = spawn(process.execPath, [LAUNCHER, '--eval', script]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (String(chunk).includes('started')) child.kill('SIGTERM');
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(output).toBe('started\nstopped\n');
});
