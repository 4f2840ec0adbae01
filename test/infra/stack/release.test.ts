import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { computeRelease, readCommit } from '../../../infra/stack/release.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The commit that a stack outputs, and the hash of a release. */

test('a checkout is at its commit, and says so if files have been changed since', () => {
  const folder = temporaryFolder('commit');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: folder,
    }).toString();
  expect(readCommit(folder)).toBe('unknown');
  git('init', '--quiet');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('commit', '--quiet', '--message', 'one');
  const hash = git('rev-parse', '--short', 'HEAD').trim();
  expect(readCommit(folder)).toBe(hash);
  writeFileSync(join(folder, 'file'), 'two');
  expect(readCommit(folder)).toBe(`${hash}-dirty`);
});

/** A folder with these files, written in this order. */
function folderOf(files: [path: string, text: string][]): string {
  const folder = temporaryFolder('release');
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('a release is its sources, wherever and in whatever order they were written', () => {
  const one: [string, string] = ['functions/rewards/cycle.ts', '1'];
  const two: [string, string] = ['lib/values/wad.ts', '2'];
  const release = computeRelease(folderOf([one, two]));
  expect(release).toMatch(/^[0-9a-f]{12}$/);
  expect(computeRelease(folderOf([two, one]))).toBe(release);
  expect(computeRelease(folderOf([one, ['lib/values/wad.ts', '3']]))).not.toBe(release);
  expect(computeRelease(folderOf([one, ['lib/values/ray.ts', '2']]))).not.toBe(release);
});
