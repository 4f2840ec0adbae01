import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { devnet, PURE, project, pure, testsIn } from '../jest.config.ts';
import setup from '../test/support/devnet.setup.ts';
import { IGNORE_SCHEMAS } from './mutation-ignore.ts';

/**
 * `npm run test:mutation [-- path…]`: puts one fault after the other into the code (Stryker) of these files or folders, and looks
 * whether a test of the same folder notices. What has not changed since the last run is not tried again. Prints each fault that nobody
 * noticed, and a score for each path; exit code 1 if one is below its folder's threshold.
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

const folderOf = (path: string) =>
  Object.keys(THRESHOLDS).find((folder) => path === folder || path.startsWith(`${folder}/`));

/** Folders of tests. Those of prices and validators ask handlers as well. */
const testsOf = (path: string) =>
  folderOf(path) === 'functions' ? ['functions', 'prices', 'validators'] : [folderOf(path)?.replace('lib/', '') ?? ''];

/** Whether they need no chain. */
const isPure = (path: string) => testsOf(path).every((folder) => PURE.includes(folder));

/** Stryker sees by itself what has changed in the code, but not in the tests. */
function stateOf(path: string): string {
  const hash = createHash('sha256');
  const files = globSync(testsOf(path).map((folder) => `test/${folder}/**/*.ts`));
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Percent of the faults in a file or folder that a test noticed. */
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
      // In place of the projects of jest.config.ts, which Stryker reads as well.
      config: {
        testEnvironment: fileURLToPath(new URL('../test/support/first-failure.ts', import.meta.url)),
        projects: [
          {
            ...project,
            ...(isPure(path) ? pure : devnet),
            testMatch: testsIn(testsOf(path)),
          },
        ],
      },
    },
    // Only the tests that reach a fault are run; its environment tells which those are.
    coverageAnalysis: 'perTest',
    // What a function defines when it is loaded (schemas, texts, examples) is what the tests of documents are about.
    ignoreStatic: ofFunctions,
    concurrency: 2,
    // A chain takes some seconds to start, more on a busy machine.
    timeoutMS: isPure(path) ? 15_000 : 40_000,
    // The first run has as long as it takes: the machine may be busy.
    dryRunTimeoutMinutes: 60,
    ignorePatterns: ['coverage', 'cdk.out', 'docs/images'],
    incremental: true,
    incrementalFile: `${REPORTS}/${name}-${stateOf(path)}.json`,
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
const unknown = asked.find((path) => !folderOf(path));
if (unknown) {
  console.error(`${unknown} is not in any of these folders: ${Object.keys(THRESHOLDS).join(', ')}`);
  process.exit(1);
}
const paths = asked.length > 0 ? asked : Object.keys(THRESHOLDS);

// One chain for all runs of the tests: those that stand in Stryker's copies find it in their environment.
if (!paths.every(isPure)) await setup();
const scores: [path: string, score: number][] = [];
for (const path of paths) scores.push([path, await scoreOf(path)]);
await globalThis.stopDevnet?.();
for (const [path, score] of scores) {
  const least = THRESHOLDS[folderOf(path) as string] as number;
  console.log(`${path}: ${score.toFixed(1)} % of the faults were detected (required: ${least} %)`);
  if (score < least) process.exitCode = 1;
}
