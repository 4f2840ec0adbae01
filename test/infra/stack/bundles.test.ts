import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stop } from 'esbuild';
import { ENDPOINTS } from '../../../functions/index.ts';
import { bundleFunctions } from '../../../infra/stack/bundling.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The size and content of the functions' bundles, which determine how long a cold start takes. */

/** Accounts' endpoints read most contracts, and have the declarations of all events. */
const MAX_KB = 490;

/** Modules that are large and never needed on Lambda. */
const FORBIDDEN = [
  /zod\/v4\/locales\//,
  /zod\/v4\/classic\//,
  // All of ethers' providers except provider.js, which contains types that contracts refer to.
  /ethers\/.*\/providers\/(?!provider\.js$)/,
  /ethers\/.*\/(wallet|wordlists)\//,
  /ethers\/.*\/(hash\/namehash|crypto\/(signing-key|scrypt|pbkdf2))\.js/,
  /@noble\/curves\//,
  /node_modules\/(aes-js|@adraffy\/ens-normalize|ws)\//,
  /@aws-sdk\/credential-provider-(ini|sso|process|login|web-identity|node)\//,
  /@smithy\/core\/.*\/event-streams\//,
];

const built = temporaryFolder('bundles');
let bundles: Awaited<ReturnType<typeof bundleFunctions>>;

beforeAll(async () => {
  bundles = await bundleFunctions(built);
});
afterAll(() => stop());

test.each(Object.keys(ENDPOINTS))(`the bundle of %s is small, and has no module that Lambda never needs`, (file) => {
  const { bytes = Number.NaN, inputs = [] } = bundles.get(`functions/${file}.ts`) ?? {};
  expect(bytes / 1_000).toBeLessThanOrEqual(MAX_KB);
  expect(inputs.length).toBeGreaterThan(10);
  expect(inputs.filter((input) => FORBIDDEN.some((pattern) => pattern.test(input)))).toEqual([]);
  const code = readFileSync(join(built, 'functions', file, 'index.js'), 'utf8');
  // V8 keeps a source with any other character as two bytes per character, and Node takes longer to read it.
  expect(code).toMatch(/^\p{ASCII}+$/u);
  // esbuild's declaration of a CommonJS module's exports for Node's ES modules.
  expect(code).toMatch(/module\.exports=\{(?:\w+,)*handler\b/);
});
