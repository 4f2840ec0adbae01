/** The functions of the stack and the settings of their bundles. */

import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The source of each function that a stack may have, without the extension. */
export const SOURCES = [
  ...Object.keys(ENDPOINTS).map((file) => `functions/${file}`),
  'functions/history-recorder',
  'functions/ledger-recorder',
  'infra/stack/custom/pages',
];

/** CommonJS starts faster than ESM on Node 24, and preferring `module` lets esbuild drop unused code. */
const ESBUILD_OPTIONS = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // esbuild turns the SDK's dynamic import of node:http into a require. As an import, it would load undici, too: 35 ms of CPU of a
  // cold start (12 runs each, November 2026).
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  external: [
    // 35 kB that only stages with a secret load: the copy in the runtime is good enough.
    '@aws-sdk/client-secrets-manager',
    // 15 kB that the SDK loads for operations that stream events, of which we use none.
    '@smithy/core/event-streams',
    // Used only by the custom resources (infra/stack/custom), for which the copy in the runtime is good enough.
    '@aws-sdk/client-s3',
  ],
  alias: {
    // The default provider also looks for profiles, SSO and instance metadata: 130 kB that never run in Lambda, which
    // passes credentials in the environment: 22 ms of CPU of a cold start (25 runs each, November 2026).
    '@aws-sdk/credential-provider-node': fileURLToPath(new URL('./stand-ins/credentials.ts', import.meta.url)),
  },
} satisfies BuildOptions;

/**
 * Bundles all functions in one build, each into a folder named like its source, as `index.js` and its source map. Returns the
 * size of each and the modules in it, by its source with the extension.
 */
export async function bundleFunctions(outdir: string): Promise<Map<string, { bytes: number; inputs: string[] }>> {
  const { metafile } = await build({
    ...ESBUILD_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: SOURCES.map((source) => ({ in: `${source}.ts`, out: `${source}/index` })),
    outdir,
    metafile: true,
  });
  return new Map(
    Object.values(metafile.outputs).flatMap(({ entryPoint, bytes, inputs }) =>
      entryPoint ? [[entryPoint, { bytes, inputs: Object.keys(inputs) }]] : [],
    ),
  );
}
