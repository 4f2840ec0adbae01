import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

export const project = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // middy ships only ES modules, so jest runs in ESM mode and the source is never rewritten to CommonJS.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
  // Where a run of test:mutation that was killed leaves its copies.
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

/** They need no chain, and start at once. */
export const PURE = [
  ...['*.test.ts', 'ledger', 'rewards', 'cache', 'chain', 'contracts', 'http', 'upstream', 'flags'],
  // All but the recorder's.
  ...['fill', 'holder', 'range', 'rates', 'snapped-range', 'store', 'yields'].map((name) => `history/${name}.test.ts`),
];
/** What runs the handlers and what they bear, not what they answer: the stack, tools, `npm start`, the devnet, documents, faults. `npm run test:system`. */
const SYSTEM = ['infra', 'local', 'resilience', 'site', 'verify'];
/** They need more than npm: a browser, the Lambda runtime client, Docker, Avalanche's node, Varnish … `npm run test:browser` and the like run them. */
const MORE = ['clients', 'lambda', 'sam', 'node', 'edge'];
/** On an emulator of AWS: its own tests, and those of what is kept in tables, on another engine. */
const AWS = ['aws', 'cache', 'history', 'infra/backfill.test.ts'];

export default {
  // Much of the time is spent waiting: for engines in other processes, and for what never answers.
  maxWorkers: 2 * availableParallelism(),
  // Modules of a test file stay in memory when it has ended.
  workerIdleMemoryLimit: '1GB',
  // A guard against what never ends, and no measure of speed: other projects share the machine.
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
