import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ExportFolder, SUMS } from '../../../lib/archive/export-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = join(temporaryFolder('export'), 'out');

type Files = Parameters<Parameters<ExportFolder['run']>[1]>[0];

async function writeAll(
  folder: ExportFolder,
  steps: string[] = [],
  second = async (files: Files) => files.write('b.txt', 'ä'),
): Promise<string> {
  const value = await folder.run('first', async (files) => {
    steps.push('first');
    files.write('data/a.csv', 'x\r\n', 0);
    files.write('data/a.csv', '1\r\n2\r\n', 2);
    return 'kept';
  });
  await folder.run('second', (files) => {
    steps.push('second');
    return second(files);
  });
  return value;
}

test('an export that was killed goes on with the first unfinished step, and ends with the hashes of all files', async () => {
  const killed = async (files: Files) => {
    files.write('b.txt', 'half');
    throw new Error('killed');
  };
  await expect(writeAll(new ExportFolder(path), [], killed)).rejects.toThrow('killed');
  // A process may die while it writes the note of a step.
  appendFileSync(join(path, 'unfinished.jsonl'), '{"step":"sec');
  const steps: string[] = [];
  const again = new ExportFolder(path);
  expect([await writeAll(again, steps), steps]).toEqual(['kept', ['second']]);
  const sums = 2 * (64 + 2 + 1) + 'data/a.csv'.length + 'b.txt'.length;
  expect(again.finish()).toEqual({ files: 3, bytes: 9 + 2 + sums });
  execFileSync('sha256sum', ['--check', '--quiet', SUMS], { cwd: path });
  expect(readdirSync(path).sort()).toEqual([SUMS, 'b.txt', 'data']);
  expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('ä');
  expect(() => new ExportFolder(path)).toThrow(/: holds a finished export; choose another folder$/);
  expect(() => new ExportFolder(dirname(path))).toThrow(/: is not empty; choose another folder$/);
});
