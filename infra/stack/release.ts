import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * A hash of the sources in `functions` and `lib`, the same on every machine. It is part of the cache's keys: a release never
 * reads what another one has written, which may have had another form. One for all functions, because they share datasets:
 * a release costs each of these one miss, which is less than the code that would tell which functions have changed.
 */
export function computeRelease(root = ROOT): string {
  const hash = createHash('sha256');
  for (const folder of ['functions', 'lib']) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort())
      hash.update(file).update(readFileSync(join(root, folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** The commit of a folder as git describes it, with `-dirty` if files have been changed since; `unknown` without git. */
export function readCommit(folder: string): string {
  try {
    const command = ['describe', '--always', '--dirty'];
    return execFileSync('git', command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
