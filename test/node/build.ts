import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AVALANCHEGO, AVALANCHEGO_VERSION } from './avalanchego.ts';

/**
 * `node infra/tools/node.cjs test/node/build.ts`: builds avalanchego for the tests, unless that has been done. Go downloads the sources from
 * its module proxy. Takes about four minutes on two cores; needs Go of any version and a C compiler.
 */

const MODULE = 'github.com/ava-labs/avalanchego';
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

const folder = mkdtempSync(join(tmpdir(), 'avalanchego-'));
const env = { ...process.env, GOFLAGS: '-mod=mod' };

function go(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The path of a module's go.mod or folder, which is downloaded if necessary. */
function download(module: string, part: 'GoMod' | 'Dir'): string {
  return JSON.parse(go('go', 'mod', 'download', '-json', module))[part];
}

/** The installed Go or, if that is too old, the required one. Debian's Go is too old to download that by itself. */
function goSince(version: string): string {
  const here = go('go', 'env', 'GOVERSION').trim();
  if (here.localeCompare(`go${version}`, 'en', { numeric: true }) >= 0) return 'go';
  const root = download(`golang.org/toolchain@v0.0.1-go${version}.${process.platform}-${ARCHITECTURE}`, 'Dir');
  // Modules are unpacked without execute permissions.
  execFileSync('chmod', ['-R', '+x', join(root, 'bin'), join(root, 'pkg/tool')]);
  return join(root, 'bin/go');
}

function build(): void {
  const goMod = readFileSync(download(`${MODULE}@v${AVALANCHEGO_VERSION}`, 'GoMod'), 'utf8');
  // `replace` applies in the main module only, so the one that avalanchego needs is copied.
  const [replace] = /^replace google\.golang\.org\/genproto .*$/m.exec(goMod) ?? [''];
  const [goLine = '', version = ''] = /^go (.*)$/m.exec(goMod) ?? [];
  const lines = ['module node', goLine, `require ${MODULE} v${AVALANCHEGO_VERSION}`, replace];
  writeFileSync(join(folder, 'go.mod'), lines.join('\n'));
  go(goSince(version), 'build', '-o', 'avalanchego', `${MODULE}/main`);
}

/** In two steps, because the folders may be on different disks, and no process should find an unfinished program. */
function keep(): void {
  mkdirSync(dirname(AVALANCHEGO), { recursive: true });
  copyFileSync(join(folder, 'avalanchego'), `${AVALANCHEGO}.new`);
  renameSync(`${AVALANCHEGO}.new`, AVALANCHEGO);
}

try {
  if (!existsSync(AVALANCHEGO)) {
    build();
    keep();
  }
} finally {
  rmSync(folder, { recursive: true });
}
