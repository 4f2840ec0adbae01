import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { readCommit } from '../../../infra/stack/commit.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The output `Commit` of the stack, and how to roll back to one. */

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('commit');
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

test('a checkout is at its commit, and says so if files have been changed since', () => {
  git('init', '--quiet');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '--message', 'one');
  const hash = git('rev-parse', '--short', 'HEAD').trim();
  expect(readCommit(folder)).toBe(hash);
  writeFileSync(join(folder, 'file'), 'two');
  expect(readCommit(folder)).toBe(`${hash}-dirty`);
});

test('the commit of a folder without git is unknown', () => {
  expect(readCommit(folder)).toBe('unknown');
});

test('the command for a roll-back in the operator’s guide keeps the options of today', () => {
  git('init', '--quiet', '--initial-branch', 'ours');
  mkdirSync(join(folder, 'infra/stack/stages'), { recursive: true });
  const names = ['code', 'infra/stack/stages/prod.json'];
  const release = (content: string) => {
    for (const name of names) writeFileSync(join(folder, name), content);
    git('add', '.');
    git('commit', '--quiet', '--message', content);
  };
  release('old');
  const commit = readCommit(folder);
  release('new');
  const guide = readFileSync('docs/operations.md', 'utf8');
  const [, command = ''] = /^## Roll back$.*?^```sh\n(git checkout .*?) && npm ci$/ms.exec(guide) ?? [];
  const typed = command.replace('<commit>', commit).replace('<your branch>', 'ours');
  execFileSync('bash', ['-c', typed], { cwd: folder, stdio: 'ignore' });
  expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['old', 'new']);
});
