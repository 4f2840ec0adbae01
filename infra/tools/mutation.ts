/**
 * `npm run test:mutation [-- path…]`: puts faults into the code of these files or folders, one at a time (Stryker), and
 * checks whether a test of the same folder detects each. Code that has not changed since the last run is not tried
 * again. Prints each undetected fault, and a score for each path; exit code 1 if one is below its folder's threshold.
 */

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { devnet, PURE, project, pure, testsIn } from '../../jest.config.ts';
import setup from '../../test/support/devnet.setup.ts';
import { IGNORE_SCHEMAS } from './mutation-ignore.ts';

/**
 * Percentage of the faults that the tests of the same folder have to detect, by folder or, where a run of all takes hours, by
 * file.
 */
const THRESHOLDS: Record<string, number> = {
  'lib/rewards': 95,
  'lib/values': 95,
  'lib/cache': 95,
  'lib/chain': 95,
  'lib/api': 85,
  'lib/archive/compare-chain.ts': 85,
  'lib/archive/manifest.ts': 85,
  'lib/archive/verify-files.ts': 85,
  'lib/contracts': 85,
  'lib/flags': 85,
  'lib/history': 85,
  'lib/ledger': 85,
  'lib/prices': 85,
  'lib/protocol': 85,
  'lib/runtime': 95,
  'lib/tables': 85,
  'lib/validators': 85,
  functions: 85,
};
/** Folder of the incremental reports; git ignores it. */
const REPORTS = 'coverage/mutation';

const folderOf = (path: string) =>
  Object.keys(THRESHOLDS).find((folder) => path === folder || path.startsWith(`${folder}/`));

/** Tests outside a folder that test its code as well: handlers, and the bodies of errors. */
const MORE_TESTS: Record<string, readonly string[]> = {
  functions: ['lib/prices', 'lib/validators'],
  'lib/runtime': ['lib/api/http/response.test.ts'],
};

/** The folders and files of tests for a path. */
const testsOf = (path: string) => {
  const folder = (folderOf(path) ?? '').replace(/\/[^/]+\.ts$/, '');
  return [folder, ...(MORE_TESTS[folder] ?? [])];
};

/** Whether the tests for a path need no chain. */
const isPure = (path: string) =>
  testsOf(path).every((tests) => PURE.some((pure) => tests === pure || tests.startsWith(`${pure}/`)));

/** Stryker detects changes in the code but not in the tests, so the name of a report contains this hash of them. */
function hashOfTests(path: string): string {
  const hash = createHash('sha256');
  const files = globSync(testsOf(path).map((tests) => `test/${tests.endsWith('.ts') ? tests : `${tests}/**/*.ts`}`));
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Percentage of the faults in a file or folder that a test detects. */
async function scoreOf(path: string): Promise<number> {
  const name = path.replaceAll(/\W/g, '-');
  const ofFunctions = folderOf(path) === 'functions';
  const mutants = await new Stryker({
    mutate: [path.endsWith('.ts') ? path : `${path}/**/*.ts`],
    plugins: ['@stryker-mutator/*', fileURLToPath(new URL('mutation-ignore.ts', import.meta.url))],
    ignorers: ofFunctions ? [IGNORE_SCHEMAS] : [],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: {
      projectType: 'custom',
      enableFindRelatedTests: true,
      // Replaces the projects of jest.config.ts, which Stryker reads as well.
      config: {
        testEnvironment: fileURLToPath(new URL('../../test/support/first-failure.ts', import.meta.url)),
        projects: [
          {
            ...project,
            ...(isPure(path) ? pure : devnet),
            testMatch: testsIn(testsOf(path)),
          },
        ],
      },
    },
    // Runs only the tests that reach a fault, which the test environment records.
    coverageAnalysis: 'perTest',
    // Code that runs when a function is loaded (schemas, texts, examples) is covered by the tests of the documents.
    ignoreStatic: ofFunctions,
    concurrency: 2,
    // Starting a chain takes some seconds, more on a busy machine.
    timeoutMS: isPure(path) ? 15_000 : 40_000,
    // Practically no limit on the first run: the machine may be busy.
    dryRunTimeoutMinutes: 60,
    ignorePatterns: ['coverage', 'cdk.out', 'docs/images'],
    incremental: true,
    incrementalFile: `${REPORTS}/${name}-${hashOfTests(path)}.json`,
    tempDirName: `coverage/stryker-${name}`,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false, allowColor: false },
  }).runMutationTest();
  const count = (...wanted: string[]) => mutants.filter(({ status }) => wanted.includes(status)).length;
  // Faults that prevent a module from loading do not count.
  const detected = count('Killed', 'Timeout');
  return (100 * detected) / (detected + count('Survived', 'NoCoverage'));
}

const asked = process.argv.slice(2);
const unknown = asked.find((path) => !folderOf(path));
if (unknown) {
  console.error(`${unknown} is not in any of these folders: ${Object.keys(THRESHOLDS).join(', ')}`);
  process.exit(1);
}
const paths = asked.length > 0 ? asked : Object.keys(THRESHOLDS);

// One chain for all runs: the tests in Stryker's copies find it through environment variables.
if (!paths.every(isPure)) await setup();
const scores: [path: string, score: number][] = [];
for (const path of paths) scores.push([path, await scoreOf(path)]);
await globalThis.stopDevnet?.();
for (const [path, score] of scores) {
  const least = THRESHOLDS[folderOf(path) as string] as number;
  console.log(`${path}: ${score.toFixed(1)} % of the faults were detected (required: ${least} %)`);
  if (score < least) process.exitCode = 1;
}
