import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

export const project = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // middy is published as ES modules only, so jest runs in ESM mode.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
  // If a run of test:mutation is killed, its copies stay in this folder.
  modulePathIgnorePatterns: ['<rootDir>/coverage/'],
} satisfies Config;

export const pure = { globalSetup: '<rootDir>/test/support/tables.setup.ts' } satisfies Config;

export const devnet = {
  globalSetup: '<rootDir>/test/support/devnet.setup.ts',
  globalTeardown: '<rootDir>/test/support/devnet.teardown.ts',
} satisfies Config;

const pages = { ...devnet, globalSetup: '<rootDir>/test/support/browser.setup.ts' } satisfies Config;

export const testsIn = (paths: readonly string[]) =>
  paths.map((path) => `**/test/${path.endsWith('.ts') ? path : `${path}/**/*.test.ts`}`);

/** Tests that need no chain, and start at once. */
export const PURE = [
  ...['api', 'archive', 'cache', 'chain', 'contracts', 'flags', 'ledger'],
  ...['rewards', 'runtime', 'tables', 'values', '*.test.ts'],
  // All but the recorder's.
  ...['fill', 'holder', 'range', 'rates', 'snapped-range', 'store', 'yields'].map((name) => `history/${name}.test.ts`),
].map((path) => `lib/${path}`);
/**
 * `npm run test:system`: tests not of what the handlers answer but of what runs them and which faults they withstand:
 * the stack, tools, `npm start`, the devnet, the documents.
 */
const SYSTEM = ['infra', 'resilience'];
/** Tests that need more than npm (the Lambda runtime client, Docker, Varnish …), each with a script of its own. */
const MORE = ['clients', 'lambda', 'sam', 'node', 'edge'];
/** Tests in the AWS emulator: those of the stack, and those of the tables' code, which run on its DynamoDB. */
const AWS = ['aws', 'lib/cache', 'lib/history', 'infra/tools/backfill.test.ts'];

export default {
  // Tests spend much of their time waiting, for other processes and for timeouts.
  maxWorkers: 2 * availableParallelism(),
  // The modules of a test file stay in memory after it has ended.
  workerIdleMemoryLimit: '1GB',
  // A guard against tests that never end, not a measure of speed: test files share the machine.
  testTimeout: 180_000,
  projects: [
    { ...project, ...pure, displayName: 'pure', testMatch: testsIn(PURE) },
    {
      ...project,
      ...devnet,
      displayName: 'devnet',
      testMatch: [
        ...testsIn(['*']),
        ...testsIn([...PURE, ...SYSTEM, ...MORE, 'browser', 'aws']).map((path) => `!${path}`),
      ],
    },
    { ...project, ...devnet, displayName: 'system', testMatch: testsIn(SYSTEM) },
    ...MORE.map((name) => ({ ...project, ...devnet, displayName: name, testMatch: testsIn([name]) })),
    { ...project, ...pages, displayName: 'browser', testMatch: testsIn(['browser']) },
    { ...project, ...devnet, displayName: 'aws', testMatch: testsIn(AWS) },
  ],
} satisfies Config;
