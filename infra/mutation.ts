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

interface Folder {
  /** Percent of its faults that have to be noticed. */
  least: number;
  /** By which tests: those of the folder of the same name, and those where it is used. */
  tests: string[];
}

const FOLDERS: Record<string, Folder> = {
  'lib/rewards': { least: 95, tests: ['rewards'] },
  'lib/cache': { least: 95, tests: ['cache'] },
  'lib/chain': { least: 95, tests: ['chain'] },
  'lib/upstream': { least: 95, tests: ['upstream'] },
  'lib/contracts': { least: 85, tests: ['contracts'] },
  'lib/flags': { least: 85, tests: ['flags'] },
  'lib/history': { least: 85, tests: ['history', 'functions/history.test.ts', 'functions/metrics-apy.test.ts'] },
  'lib/http': { least: 85, tests: ['http'] },
  'lib/ledger': { least: 85, tests: ['ledger'] },
  'lib/prices': { least: 85, tests: ['prices'] },
  'lib/protocol': {
    least: 85,
    tests: ['protocol', 'functions/protocol.test.ts', 'functions/stakers.test.ts', 'functions/withdrawals.test.ts'],
  },
  'lib/validators': { least: 85, tests: ['validators'] },
  functions: { least: 85, tests: ['functions', 'integration'] },
};
/** Where the incremental reports are; git ignores it. */
const REPORTS = 'coverage/mutation';

/** Whether they need no chain. */
const isPure = ({ tests }: Folder) => tests.every((path) => PURE.includes(path));

/** Stryker sees by itself what has changed in the code, but not in the tests. */
function stateOf(tests: readonly string[]): string {
  const hash = createHash('sha256');
  const patterns = tests.map((path) => (path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.ts`));
  for (const file of globSync(patterns).sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Percent of the faults in a folder that a test noticed. */
async function scoreOf(path: string, folder: Folder): Promise<number> {
  const name = path.replace('/', '-');
  const mutants = await new Stryker({
    mutate: [`${path}/**/*.ts`],
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
            testMatch: testsIn(folder.tests),
            modulePathIgnorePatterns: ['<rootDir>/coverage/'],
          },
        ],
      },
    },
    // Only the tests that reach a fault are run; its environment tells which those are.
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: 15_000,
    // The first run has as long as it takes: the machine may be busy.
    dryRunTimeoutMinutes: 60,
    ignorePatterns: ['coverage', 'cdk.out', 'docs/images'],
    incremental: true,
    incrementalFile: `${REPORTS}/${name}-${stateOf(folder.tests)}.json`,
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
const unknown = asked.find((path) => !(path in FOLDERS));
if (unknown) {
  console.error(`${unknown} is none of ${Object.keys(FOLDERS).join(', ')}.`);
  process.exit(1);
}
const folders = Object.entries(FOLDERS).filter(([path]) => asked.length === 0 || asked.includes(path));

// One chain for all runs of the tests: those that stand in Stryker's copies find it in their environment.
if (folders.some(([, folder]) => !isPure(folder))) await setup();
const scores: [path: string, score: number, least: number][] = [];
for (const [path, folder] of folders) scores.push([path, await scoreOf(path, folder), folder.least]);
await globalThis.stopDevnet?.();
for (const [path, score, least] of scores) {
  console.log(`${path}: ${score.toFixed(1)} % of the faults were noticed (at least ${least} %)`);
  if (score < least) process.exitCode = 1;
}
