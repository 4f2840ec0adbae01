import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { ENDPOINTS } from '../functions/index.ts';
import { ESBUILD_OPTIONS } from './bundling.ts';

/** Whose code goes out with this project's: what `docs/licences.md` lists. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Package {
  name: string;
  version: string;
  license: string;
}

/** docs/licences.md, as it must be for what is installed. */
export async function licencesDocument(): Promise<string> {
  const functions = [...Object.keys(ENDPOINTS), 'recorder', 'ledger-recorder'].map((file) => `functions/${file}.ts`);
  const pages = ['dashboard', 'docs', 'guide'].map((folder) => `infra/web/${folder}/main.ts`);
  const [deployed, sent] = await Promise.all([
    packagesIn({ ...ESBUILD_OPTIONS, entryPoints: functions }),
    packagesIn({ bundle: true, entryPoints: pages }),
  ]);
  // Served as its makers publish it, with what it has bundled itself.
  sent.push(readPackage('@scalar/api-reference'));
  return `# Licences of others' code

Made by \`npm run generate\`; a test keeps it true. What is only used to build and test is not listed: \`package-lock.json\` names
the licence of each, and a test refuses those that would bind users of this project.

## In the functions

${list(deployed)}

## In the pages

${list(sent)}
`;
}

/** The packages that a bundle takes code from. */
async function packagesIn(options: BuildOptions): Promise<Package[]> {
  const { metafile } = await build({ ...options, absWorkingDir: ROOT, outdir: 'out', write: false, metafile: true });
  const used = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (nameOf(path) ?? []) : [])),
  );
  return [...new Set(used)].sort().map(readPackage);
}

function nameOf(path: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function readPackage(name: string): Package {
  return JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8'));
}

function list(packages: readonly Package[]): string {
  return packages
    .map(({ name, version, license }) => `- [${name}](https://www.npmjs.com/package/${name}) ${version}: ${license}`)
    .join('\n');
}
