/**
 * `node infra/emulators/lambda/build-client.ts`: has npm compile the runtime client, unless that has been done, and prints its
 * folder. Takes about a minute; needs a C++ compiler, make, CMake and Python.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { RUNTIME_CLIENT, RUNTIME_CLIENT_FOLDER } from './runtime-client.ts';

if (!existsSync(RUNTIME_CLIENT_FOLDER)) {
  console.error(`Compiling ${RUNTIME_CLIENT}, which takes about a minute`);
  // Built in a folder of its own, so that nobody finds an unfinished client.
  const folder = `${RUNTIME_CLIENT_FOLDER}.${process.pid}`;
  try {
    const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, RUNTIME_CLIENT];
    // Its install script compiles it. `npm run` passes on the setting of .npmrc.
    execFileSync('npm', [...install, '--ignore-scripts=false'], { stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(folder, RUNTIME_CLIENT_FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(RUNTIME_CLIENT_FOLDER);
