/** The functions of the stack and the settings of their bundles. */

import { relative } from 'node:path';
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

/**
 * Options with which the stack, the bundle tests and the benchmarks bundle a function. All were measured (`npm run bench`):
 * CommonJS starts faster than ESM on Node 24, where an ES module that imports `node:http` loads undici; preferring
 * `module` lets esbuild drop unused code; a bundled SDK loads faster than the one in the runtime.
 */
export const ESBUILD_OPTIONS = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // esbuild turns the SDK's dynamic import of node:http into a require. As an import, it would load undici, too: 20 ms.
  supported: { 'dynamic-import': false },
  // With node:http, bodies are Node streams. The SDK checks whether they are web streams, and the mere mention of
  // `ReadableStream` makes Node load their modules.
  define: { ReadableStream: 'undefined' },
  legalComments: 'none',
  sourcemap: 'external',
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
    // passes credentials in the environment.
    '@aws-sdk/credential-provider-node': fileURLToPath(new URL('./stand-ins/credentials.ts', import.meta.url)),
  },
} satisfies BuildOptions;

/** Bundles all functions in one build, each into a folder named like its source, as `index.js` and its source map. */
export async function bundleFunctions(outdir: string): Promise<void> {
  await build({
    ...ESBUILD_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: SOURCES.map((source) => ({ in: `${source}.ts`, out: `${source}/index` })),
    outdir,
  });
}

/** The endpoints' bundles in memory: each one's text and the modules in it, by its file in `functions`. For tests and benchmarks. */
export async function bundleEndpoints(): Promise<Map<string, { text: string; inputs: string[] }>> {
  const { metafile, outputFiles } = await build({
    ...ESBUILD_OPTIONS,
    sourcemap: false,
    absWorkingDir: ROOT,
    entryPoints: Object.keys(ENDPOINTS).map((file) => `functions/${file}.ts`),
    outbase: 'functions',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  return new Map(
    outputFiles.map(({ path, text }) => {
      const output = relative(ROOT, path);
      const inputs = Object.keys(metafile.outputs[output]?.inputs ?? {});
      return [output.slice('out/'.length, -'.js'.length), { text, inputs }];
    }),
  );
}
