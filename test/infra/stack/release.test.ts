import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { computeRelease } from '../../../infra/stack/release.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The release of a folder with these files, written in this order. */
function releaseOf(...files: [path: string, text: string][]): string {
  const folder = temporaryFolder('release');
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return computeRelease(folder);
}

test('a release is its sources, wherever and in whatever order they were written', () => {
  const one: [string, string] = ['functions/rewards/cycle.ts', '1'];
  const two: [string, string] = ['lib/values/wad.ts', '2'];
  const release = releaseOf(one, two);
  expect(releaseOf(two, one)).toBe(release);
  const changed = [releaseOf(one, ['lib/values/wad.ts', '3']), releaseOf(one, ['lib/values/ray.ts', '2'])];
  expect(changed).not.toContain(release);
});
