/**
 * `node infra/tools/node.cjs infra/tools/golden.ts [commit]`: compares every answer and the OpenAPI document with those of another commit, by default the last one
 * that this branch shares with `main`. Answers of a commit are recorded once, in the folder for temporary files.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

function runNet(folder: string, file: string): boolean {
  const jest = ['run', '--silent', 'jest', '--', '--selectProjects', 'golden'];
  const options = { cwd: folder, env: { ...process.env, GOLDEN_FILE: file }, stdio: 'inherit' } as const;
  return spawnSync('npm', jest, options).status === 0;
}

function record(commit: string, file: string): void {
  const folder = join(tmpdir(), `golden-${commit}`);
  git('worktree', 'add', '--detach', '--force', folder, commit);
  try {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    if (!runNet(folder, file)) rmSync(file, { force: true });
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

const [asked] = process.argv.slice(2);
const commit = asked ? git('rev-parse', asked) : git('merge-base', 'HEAD', 'main');
const file = join(tmpdir(), `golden-${commit}.json`);
if (!existsSync(file)) record(commit, file);
if (!existsSync(file) || !runNet(process.cwd(), file)) process.exitCode = 1;
