import { execFileSync } from 'node:child_process';

/** The commit of a folder as git describes it, with `-dirty` if files have been changed since; `unknown` without git. */
export function readCommit(folder: string): string {
  try {
    const command = ['describe', '--always', '--dirty'];
    return execFileSync('git', command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
