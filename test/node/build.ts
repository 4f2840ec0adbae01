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
 * `node test/node/build.ts`: makes the program that the tests start, unless it is there. Go builds it from its module proxy, which
 * takes about four minutes on two cores. Needs Go of any version and a C compiler.
 */

const MODULE = 'github.com/ava-labs/avalanchego';
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

const folder = mkdtempSync(join(tmpdir(), 'avalanchego-'));
const env = { ...process.env, GOFLAGS: '-mod=mod' };

function go(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A file or folder of a module, downloaded unless it is there. */
function download(module: string, part: 'GoMod' | 'Dir'): string {
  return JSON.parse(go('go', 'mod', 'download', '-json', module))[part];
}

/** The Go here or, if that is older than avalanchego wants, its one. Only newer ones than Debian's would fetch it by themselves. */
function goSince(version: string): string {
  const here = go('go', 'env', 'GOVERSION').trim();
  if (here.localeCompare(`go${version}`, 'en', { numeric: true }) >= 0) return 'go';
  const root = download(`golang.org/toolchain@v0.0.1-go${version}.${process.platform}-${ARCHITECTURE}`, 'Dir');
  // Modules are unpacked without the right to be run.
  execFileSync('chmod', ['-R', '+x', join(root, 'bin'), join(root, 'pkg/tool')]);
  return join(root, 'bin/go');
}

function build(): void {
  const theirs = readFileSync(download(`${MODULE}@v${AVALANCHEGO_VERSION}`, 'GoMod'), 'utf8');
  // A `replace` counts in the main module only, so the one that avalanchego needs is copied.
  const [replace] = /^replace google\.golang\.org\/genproto .*$/m.exec(theirs) ?? [''];
  const [goLine = '', version = ''] = /^go (.*)$/m.exec(theirs) ?? [];
  const lines = ['module node', goLine, `require ${MODULE} v${AVALANCHEGO_VERSION}`, replace];
  writeFileSync(join(folder, 'go.mod'), lines.join('\n'));
  go(goSince(version), 'build', '-o', 'avalanchego', `${MODULE}/main`);
}

/** In two steps, because the folders may be on two disks, and half a program must never be found. */
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
