import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { computeRelease } from '../../../infra/stack/release.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
  expect(computeRelease(folderOf([two, one]))).toBe(release);
  expect(computeRelease(folderOf([one, ['lib/values/wad.ts', '3']]))).not.toBe(release);
  expect(computeRelease(folderOf([one, ['lib/values/ray.ts', '2']]))).not.toBe(release);
});
