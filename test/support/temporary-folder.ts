import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder below the run's temporary directory that belongs to tests. */
const OF_TESTS = 'tests';
/** Folders of programs that clean up only if they are not killed: CDK, Chromium, avalanchego. */
const OF_PROGRAMS = /^(cdk\.out|\.?org\.chromium|playwright|coreth-keystore)/;

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

/**
 * Deletes the run's temporary directory. If the product, or a test past this helper, has left files in it, says so, and the run
 * fails. It does not throw: Jest would write no report.
 */
export function deleteTemporaryDirectory(): void {
  const left = readdirSync(tmpdir()).filter((name) => name !== OF_TESTS && !OF_PROGRAMS.test(name));
  rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 3 });
  if (left.length === 0) return;
  console.error(`Left in the temporary directory: ${left.join(', ')} (tests use temporaryFolder)`);
  process.exitCode = 1;
}
