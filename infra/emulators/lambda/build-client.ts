/**
 * `node infra/emulators/lambda/build-client.ts`: compiles the runtime client, unless that has been done, and prints its
 * folder. Takes about a minute; needs a C++ compiler, make, CMake and Python.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME_CLIENT, RUNTIME_CLIENT_FOLDER } from './runtime-client.ts';

if (!existsSync(RUNTIME_CLIENT_FOLDER)) {
  console.error(`Compiling ${RUNTIME_CLIENT}, which takes about a minute`);
  // Built in a folder of its own, so that nobody finds an unfinished client.
  const folder = `${RUNTIME_CLIENT_FOLDER}.${process.pid}`;
  try {
    const npm = (args: string[], cwd?: string) =>
      execFileSync('npm', args, { ...(cwd && { cwd }), stdio: ['ignore', 'ignore', 'inherit'] });
    npm(['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, RUNTIME_CLIENT]);
    // They compile it. Each version of npm has a rule of its own for whether installing runs them.
    for (const script of ['preinstall', 'postinstall'])
      npm(['run', '--silent', script], join(folder, 'node_modules/aws-lambda-ric'));
    renameSync(folder, RUNTIME_CLIENT_FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(RUNTIME_CLIENT_FOLDER);
