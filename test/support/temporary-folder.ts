import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder below the run's temporary directory that belongs to tests. */
const OF_TESTS = 'tests';
/** CDK makes a folder for each app without an output folder. */
const OF_CDK = /^cdk\.out/;

/** A new folder for a test. It is deleted at the end of the run. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), OF_TESTS, `${name}-`));
}

/** Gives this run, with all processes that it starts, a temporary directory of its own. */
export function takeTemporaryDirectory(): void {
  // Programs start faster with what earlier runs have compiled.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'run-'));
  mkdirSync(join(process.env.TMPDIR, OF_TESTS));
}

/** Deletes the run's temporary directory. Throws if the product, or a test past this helper, has left files in it. */
export function deleteTemporaryDirectory(): void {
  const left = readdirSync(tmpdir()).filter((name) => name !== OF_TESTS && !OF_CDK.test(name));
  rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 3 });
  if (left.length > 0)
    throw new Error(`left in the temporary directory: ${left.join(', ')} (tests use temporaryFolder)`);
}
