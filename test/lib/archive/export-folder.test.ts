import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { ArchiveError, ExportFolder, SUMS } from '../../../lib/archive/export-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let path: string;
beforeEach(() => {
  path = join(temporaryFolder('export'), 'out');
});

async function writeAll(folder: ExportFolder, steps: string[] = []): Promise<string> {
  const value = await folder.run('first', async (files) => {
    steps.push('first');
    files.write('data/a.csv', 'x\r\n', 0);
    files.write('data/a.csv', '1\r\n2\r\n', 2);
    return 'kept';
  });
  await folder.run('second', async (files) => {
    steps.push('second');
    files.write('b.txt', 'ä');
  });
  return value;
}

test('finishes with the hashes of all files, which sha256sum accepts, and their whole number and size', async () => {
  const folder = new ExportFolder(path);
  await writeAll(folder);
  expect(folder.files).toEqual([
    { path: 'data/a.csv', bytes: 9, rows: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { path: 'b.txt', bytes: 2, sha256: expect.any(String) },
  ]);
  const sums = 2 * (64 + 2 + 1) + 'data/a.csv'.length + 'b.txt'.length;
  expect(folder.finish()).toEqual({ files: 3, bytes: 9 + 2 + sums });
  execFileSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: path });
  expect(readdirSync(path).sort()).toEqual([SUMS, 'b.txt', 'data']);
});

test('goes on with the first unfinished step, with the values of the finished ones', async () => {
  const killed = new ExportFolder(path);
  await expect(
    (async () => {
      await killed.run('first', async (files) => {
        files.write('data/a.csv', 'x\r\n1\r\n2\r\n', 2);
        return 'kept';
      });
      await killed.run('second', async (files) => {
        files.write('b.txt', 'half');
        throw new Error('killed');
      });
    })(),
  ).rejects.toThrow('killed');
  // A process may die while it writes the note of a step.
  appendFileSync(join(path, 'unfinished.jsonl'), '{"step":"sec');
  const steps: string[] = [];
  const again = new ExportFolder(path);
  expect(await writeAll(again, steps)).toBe('kept');
  expect(steps).toEqual(['second']);
  again.finish();
  execFileSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: path });
  expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('ä');
});

test('refuses a folder with other files, and a finished export', async () => {
  const folder = new ExportFolder(path);
  await writeAll(folder);
  folder.finish();
  expect(() => new ExportFolder(path)).toThrow(
    new ArchiveError(`${path}: holds a finished export; choose another folder`),
  );
  const other = temporaryFolder('export');
  writeFileSync(join(other, 'mine.txt'), '');
  expect(() => new ExportFolder(other)).toThrow(/is not empty/);
});
