import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a cold start spends its time on, by the origin of the code that runs or calls into Node. */
const PARTS = {
  SDK: /node_modules\/@(smithy|aws-sdk|aws)\//,
  'middy, logs': /node_modules\/@(middy|aws-lambda-powertools)\//,
  schemas: /node_modules\/zod\//,
  ethers: /node_modules\/(ethers|@noble)\//,
  ours: /(^|\/)(lib|functions)\//,
} as const;

export const PROFILE_PARTS = ['node', 'compile', ...Object.keys(PARTS), 'waits'];

const BUNDLE = 'bundle.js';

/** Wraps a copy of a bundle: ends the process on the second invocation, which makes Node write its profile. */
const ENDS = `const { handler } = require('./${BUNDLE}');
let invoked = false;
exports.handler = (...args) => {
  if (invoked) process.exit();
  invoked = true;
  return handler(...args);
};`;

/**
 * Shares (0 to 1) of a cold start's time, by part, from its profile. `run` starts the bundle in a folder with
 * additional environment variables, and invokes it twice.
 */
export async function profiled(
  bundle: string,
  run: (folder: string, env: Record<string, string>) => Promise<void>,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  await cp(bundle, folder, { recursive: true });
  await rename(join(folder, 'index.js'), join(folder, BUNDLE));
  await writeFile(join(folder, 'index.js'), ENDS);
  const profiles = join(folder, 'profiles');
  await run(folder, { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=100 --cpu-prof-dir=${profiles}` });
  const sourceMap = new SourceMap(JSON.parse(await readFile(join(folder, 'index.js.map'), 'utf8')));
  const [file = ''] = await readdir(profiles);
  const profile: Profiler.Profile = JSON.parse(await readFile(join(profiles, file), 'utf8'));
  await rm(folder, { recursive: true });
  return sharesOf(profile, sourceMap);
}

function sharesOf(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  sourceMap: SourceMap,
): Map<string, number> {
  const parts = new Map<number, string>();
  // Callers come before what they call.
  for (const node of nodes) {
    const part = partOf(node.callFrame, sourceMap) ?? parts.get(node.id) ?? 'node';
    parts.set(node.id, part);
    for (const child of node.children ?? []) parts.set(child, part);
  }
  const shares = new Map(PROFILE_PARTS.map((part) => [part, 0]));
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) as string;
    shares.set(part, (shares.get(part) ?? 0) + (timeDeltas[index] ?? 0) / total);
  }
  return shares;
}

/** Undefined if the part is the caller's. */
function partOf(
  { functionName, url, lineNumber, columnNumber }: Profiler.ProfileNode['callFrame'],
  sourceMap: SourceMap,
): string | undefined {
  if (functionName === '(idle)') return 'waits';
  if (functionName === 'wrapSafe') return 'compile';
  if (!url.endsWith(`/${BUNDLE}`)) return undefined;
  const entry = sourceMap.findEntry(lineNumber, columnNumber);
  const source = 'originalSource' in entry ? entry.originalSource : '';
  return Object.entries(PARTS).find(([, from]) => from.test(source))?.[0];
}
