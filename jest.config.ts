/**
 * `npm test`, `npm run jest -- <path or name>` and the other scripts run Jest under Node 24, with the option that ES modules need. What
 * follows is what `npx jest` says under Node 20, which looks for a program that reads this file.
 *
 * @jest-config-loader nothing (this is Node 20: run `npm test` or `npm run jest -- <path or name>` instead)
 */

import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

const project = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // middy is published as ES modules only, so jest runs in ESM mode.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/typescript.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/coverage/'],
} satisfies Config;

/** With an `id`, which names Jest's cache of compiled files: `npm run test:system` uses that of `npm test`. */
const pure = {
  id: 'pure',
  globalSetup: '<rootDir>/test/support/tables.setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
} satisfies Config;

const devnet = { ...pure, id: 'devnet', globalSetup: '<rootDir>/test/support/devnet.setup.ts' } satisfies Config;

const pages = { ...devnet, id: 'browser', globalSetup: '<rootDir>/test/support/browser.setup.ts' } satisfies Config;

const testsIn = (paths: readonly string[]) =>
  paths.map((path) => `**/test/${path.endsWith('.ts') ? path : `${path}/**/*.test.ts`}`);

/** Components of the dashboard, rendered without a browser. */
const components = {
  id: 'pages',
  displayName: 'pages',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/infra/site/pages/tsconfig.json' }] },
} satisfies Config;

/**
 * In `test/lib` and `test/infra`, a test that uses the shared devnet is named `*.chain.test.ts`. The others start at
 * once. `npm test` runs the tests of the service; `npm run test:system` those of `infra` and of faults.
 */
const onChain = (folder: string) => `**/test/${folder}/**/*.chain.test.ts`;
const offChain = (folder: string) => [...testsIn([folder]), `!${onChain(folder)}`];
/** Tests that need more than npm (Docker, avalanchego, Python …): `npm run jest -- --selectProjects aws`. */
const WITH_MORE = { aws: pure, clients: devnet, node: devnet, sam: devnet };

export default {
  // Tests spend much of their time waiting, for other processes and for timeouts.
  maxWorkers: 2 * availableParallelism(),
  // The modules of a test file stay in memory after it has ended.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/long-first.cjs',
  // A guard against tests that never end, not a measure of speed: test files share the machine.
  testTimeout: 180_000,
  projects: [
    { ...project, ...pure, displayName: 'pure', testMatch: offChain('lib') },
    {
      ...project,
      ...devnet,
      displayName: 'devnet',
      testMatch: [...testsIn(['functions', 'integration']), onChain('lib')],
    },
    { ...project, ...pure, displayName: 'offline', testMatch: offChain('infra') },
    {
      ...project,
      ...devnet,
      displayName: 'system',
      testMatch: [...testsIn(['resilience']), onChain('infra')],
    },
    ...Object.entries(WITH_MORE).map(([name, setup]) => ({
      ...project,
      ...setup,
      displayName: name,
      testMatch: testsIn([name]),
    })),
    { ...project, ...components, testMatch: testsIn(['pages']) },
    { ...project, ...pages, displayName: 'browser', testMatch: testsIn(['browser']) },
  ],
} satisfies Config;
