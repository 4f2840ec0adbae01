import type { Config } from 'jest';

export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/devnet.setup.ts',
  globalTeardown: '<rootDir>/test/support/devnet.teardown.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // They need more than npm: a browser, the Lambda runtime client, an AWS emulator, Docker. `npm run test:browser` and the like run them.
  testPathIgnorePatterns: ['/test/(browser|lambda|aws|sam)/'],
  // middy ships only ES modules, so jest runs in ESM mode and the source is never rewritten to CommonJS.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
} satisfies Config;
