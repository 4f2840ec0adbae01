/**
 * `npm test`, `npm run jest -- <path or name>` and the other scripts run Jest under Node 24, with the option that ES modules need. What
 * follows is what `npx jest` says under Node 20, which looks for a program that reads this file.
 *
 * @jest-config-loader nothing (this is Node 20: run `npm test` or `npm run jest -- <path or name>` instead)
 */

import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

export const project = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // middy is published as ES modules only, so jest runs in ESM mode.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
  modulePathIgnorePatterns: ['<rootDir>/coverage/'],
} satisfies Config;

export const pure = {
  globalSetup: '<rootDir>/test/support/tables.setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
} satisfies Config;

export const devnet = { ...pure, globalSetup: '<rootDir>/test/support/devnet.setup.ts' } satisfies Config;

const pages = { ...devnet, globalSetup: '<rootDir>/test/support/browser.setup.ts' } satisfies Config;

export const testsIn = (paths: readonly string[]) =>
  paths.map((path) => `**/test/${path.endsWith('.ts') ? path : `${path}/**/*.test.ts`}`);

/** Components of the dashboard, rendered without a browser. */
const components = {
  displayName: 'pages',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/infra/site/pages/tsconfig.json' }] },
} satisfies Config;

const without = (paths: readonly string[]) => testsIn(paths).map((path) => `!${path}`);

/** Tests that need no chain, and start at once. */
export const PURE = [
  ...['api', 'archive', 'cache', 'chain', 'contracts', 'flags', 'ledger'],
  ...['rewards', 'runtime', 'tables', 'values', '*.test.ts'],
  // All but the recorder's.
  ...[
    'fill',
    'holder-flows',
    'holder-life',
    'holder-periods',
    'range',
    'rates',
    'snapped-range',
    'history-store',
    'yields',
  ].map((name) => `history/${name}.test.ts`),
].map((path) => `lib/${path}`);
/**
 * `npm run test:system`: tests not of what the handlers answer but of what runs them and which faults they withstand:
 * the stack, tools, `npm start`, the devnet, the documents.
 */
const SYSTEM = ['infra', 'resilience'];
/** Those of them that need no chain, or start one of their own. */
const OFFLINE = [
  'devnet',
  'stack',
  ...['format', 'site', 'units'].map((name) => `site/${name}.test.ts`),
  ...['archive-files', 'pace', 'terminal'].map((name) => `local/${name}.test.ts`),
  ...['documents', 'lock', 'node'].map((name) => `tools/${name}.test.ts`),
].map((path) => `infra/${path}`);
/** Tests that need more than npm (the Lambda runtime client, Docker, Varnish …), each with a script of its own. */
const MORE = ['clients', 'lambda', 'sam', 'node', 'edge'];
/** Tests in the AWS emulator: those of the stack, and those of the tables' code, which run on its DynamoDB. */
const AWS = ['aws', 'lib/cache', 'lib/history', 'lib/tables', 'infra/tools/backfill.test.ts'];

export default {
  // Tests spend much of their time waiting, for other processes and for timeouts.
  maxWorkers: 2 * availableParallelism(),
  // The modules of a test file stay in memory after it has ended.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/long-first.cjs',
  // A guard against tests that never end, not a measure of speed: test files share the machine.
  testTimeout: 180_000,
  projects: [
    { ...project, ...pure, displayName: 'pure', testMatch: testsIn(PURE) },
    {
      ...project,
      ...devnet,
      displayName: 'devnet',
      testMatch: [...testsIn(['*']), ...without([...PURE, ...SYSTEM, ...MORE, 'browser', 'pages', 'aws', 'golden'])],
    },
    // Of `npm run golden`, which says where the answers of another commit are.
    ...(process.env.GOLDEN_FILE
      ? [{ ...project, ...pure, displayName: 'golden', testMatch: testsIn(['golden']) }]
      : []),
    { ...project, ...pure, displayName: 'offline', testMatch: testsIn(OFFLINE) },
    { ...project, ...devnet, displayName: 'system', testMatch: [...testsIn(SYSTEM), ...without(OFFLINE)] },
    ...MORE.map((name) => ({ ...project, ...devnet, displayName: name, testMatch: testsIn([name]) })),
    { ...project, ...components, testMatch: testsIn(['pages']) },
    { ...project, ...pages, displayName: 'browser', testMatch: testsIn(['browser']) },
    // Not without the emulator: most of these tests are in another project, too.
    ...(process.env.AWS_EMULATOR ? [{ ...project, ...devnet, displayName: 'aws', testMatch: testsIn(AWS) }] : []),
  ],
} satisfies Config;
