import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { devnet, PURE, project, pure, testsIn } from '../jest.config.ts';
import setup from '../test/support/devnet.setup.ts';

/**
 * `npm run test:mutation [-- folder…]`: puts one fault after the other into the code (Stryker) and looks whether a test of the same
 * folder notices. What has not changed since the last run is not tried again. Prints each fault that nobody noticed, and a score per
 * folder; exit code 1 if one is below its threshold.
 */

/** Percent of the faults that have to be noticed, by the tests of the same folder. */
const THRESHOLDS: Record<string, number> = {
  'lib/rewards': 95,
  'lib/cache': 95,
  'lib/chain': 95,
  'lib/upstream': 95,
  'lib/contracts': 85,
  'lib/flags': 85,
  'lib/history': 85,
  'lib/http': 85,
  'lib/ledger': 85,
  'lib/prices': 85,
  'lib/protocol': 85,
  'lib/validators': 85,
  functions: 85,
};
/** Where the incremental reports are; git ignores it. */
const REPORTS = 'coverage/mutation';

const testsOf = (folder: string) => folder.replace('lib/', '');

/** Whether they need no chain. */
const isPure = (folder: string) => PURE.includes(testsOf(folder));

/** Stryker sees by itself what has changed in the code, but not in the tests. */
function stateOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(`test/${testsOf(folder)}/**/*.ts`).sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Percent of the faults in a folder that a test noticed. */
async function scoreOf(folder: string): Promise<number> {
  const name = folder.replace('/', '-');
  const mutants = await new Stryker({
    mutate: [`${folder}/**/*.ts`],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: {
      projectType: 'custom',
      enableFindRelatedTests: true,
      // In place of the projects of jest.config.ts, which Stryker reads as well.
      config: {
        testEnvironment: fileURLToPath(new URL('../test/support/first-failure.ts', import.meta.url)),
        projects: [
          {
            ...project,
            ...(isPure(folder) ? pure : devnet),
            testMatch: testsIn([testsOf(folder)]),
            modulePathIgnorePatterns: ['<rootDir>/coverage/'],
          },
        ],
      },
    },
    // Only the tests that reach a fault are run; its environment tells which those are.
    coverageAnalysis: 'perTest',
    // What a function defines when it is loaded (schemas, texts, examples) is what the tests of documents are about.
    ignoreStatic: folder === 'functions',
    concurrency: 2,
    timeoutMS: 15_000,
    // The first run has as long as it takes: the machine may be busy.
    dryRunTimeoutMinutes: 60,
    ignorePatterns: ['coverage', 'cdk.out', 'docs/images'],
    incremental: true,
    incrementalFile: `${REPORTS}/${name}-${stateOf(folder)}.json`,
    tempDirName: `coverage/stryker-${name}`,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false, allowColor: false },
  }).runMutationTest();
  const count = (...wanted: string[]) => mutants.filter(({ status }) => wanted.includes(status)).length;
  // Faults that no module could be loaded with are none.
  const noticed = count('Killed', 'Timeout');
  return (100 * noticed) / (noticed + count('Survived', 'NoCoverage'));
}

const asked = process.argv.slice(2);
const unknown = asked.find((folder) => !(folder in THRESHOLDS));
if (unknown) {
  console.error(`${unknown} is none of ${Object.keys(THRESHOLDS).join(', ')}.`);
  process.exit(1);
}
const folders = asked.length > 0 ? asked : Object.keys(THRESHOLDS);

// One chain for all runs of the tests: those that stand in Stryker's copies find it in their environment.
if (!folders.every(isPure)) await setup();
const scores: [folder: string, score: number][] = [];
for (const folder of folders) scores.push([folder, await scoreOf(folder)]);
await globalThis.stopDevnet?.();
for (const [folder, score] of scores) {
  const least = THRESHOLDS[folder] as number;
  console.log(`${folder}: ${score.toFixed(1)} % of the faults were noticed (at least ${least} %)`);
  if (score < least) process.exitCode = 1;
}
