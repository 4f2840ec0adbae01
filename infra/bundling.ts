import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/**
 * How each function is bundled, for the stack, the bundle test and the bench alike. Every setting was measured
 * (`npm run bench`): CommonJS starts faster than ESM on Node 24, where an ES module that imports `node:http` loads undici;
 * module-first fields let esbuild drop what is not used; a bundled SDK loads faster than the runtime's own.
 */
export const ESBUILD_OPTIONS = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // The SDK imports node:http when it is first needed; as an ES module that loads undici, too, which takes 20 ms.
  supported: { 'dynamic-import': false },
  // Over node:http bodies are Node's streams. The SDK asks whether they are the web's, whose modules Node loads when they are named.
  define: { ReadableStream: 'undefined' },
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  external: [
    // Only stages with a secret load it; the runtime has it, and every other function would carry 35 kB in vain.
    '@aws-sdk/client-secrets-manager',
    // The SDK loads it for operations that stream events: 15 kB, and none of ours does.
    '@smithy/core/event-streams',
    // Only the stack's own resources use them (infra/custom), where the runtime's are good enough.
    '@aws-sdk/client-appconfig',
    '@aws-sdk/client-s3',
  ],
  alias: {
    // The default chain looks for profiles, SSO and instance metadata: 130 kB that Lambda, which has its credentials in
    // the environment, never runs.
    '@aws-sdk/credential-provider-node': fileURLToPath(new URL('./lambda-credentials.ts', import.meta.url)),
    '@aws-sdk/endpoint-cache': fileURLToPath(new URL('./lambda-endpoint-cache.ts', import.meta.url)),
    'node:fs/promises': fileURLToPath(new URL('./lambda-files.ts', import.meta.url)),
  },
} satisfies BuildOptions;
