import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { type LocalDynamoDB, startDynamoDB } from '../../../infra/local/dynamodb.ts';
import { ExportFolder } from '../../../lib/archive/export-folder.ts';
import { HistoryStore } from '../../../lib/history/history-store.ts';
import { DynamoTable } from '../../../lib/tables/dynamo-table.ts';
import { HISTORY } from '../../../lib/tables/table-schemas.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Tables in a folder: kept from one start to the next, and of one process at a time. */

let folder: string;
beforeEach(async () => {
  folder = join(temporaryFolder('tables'), 'not', 'yet');
});

function storeOf({ env }: LocalDynamoDB): HistoryStore {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '' } = env;
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  return new HistoryStore(new DynamoTable(client, 'history', HISTORY), 'fuji');
}

test('what was written is there at the next start, and the folder is free between the two', async () => {
  const first = await startDynamoDB(folder);
  const point = { timestamp: 3_600, block: { number: 7, timestamp: 3_599 }, values: { totalAssets: 10n ** 30n } };
  await storeOf(first).write('1h', point);
  await expect(startDynamoDB(folder)).rejects.toThrow('is in use by another npm start');
  await first.stop();
  const second = await startDynamoDB(folder);
  expect(await storeOf(second).points('1h', 0, 9_999)).toEqual([point]);
  await second.stop();
});

test.each(['/proc/x', `${import.meta.filename}/x`])('refuses a folder that cannot be created: %s', async (path) => {
  await expect(startDynamoDB(path)).rejects.toThrow(`--data: ${path} cannot be used (E`);
  expect(() => new ExportFolder(path)).toThrow(/^E[A-Z]+: /);
});

/** Damages of the files whose names match. LevelDB names them so. */
const onFiles = (form: RegExp, damage: (path: string) => void) => () => {
  for (const name of readdirSync(folder)) if (form.test(name)) damage(join(folder, name));
};

test.each<[damage: string, cause: () => void, isLossless: boolean, isNew?: boolean]>([
  ['an empty CURRENT', onFiles(/CURRENT/, (path) => writeFileSync(path, '')), true],
  ['no CURRENT', onFiles(/CURRENT/, (path) => rmSync(path)), true],
  ['no CURRENT, and no table yet', onFiles(/CURRENT/, (path) => rmSync(path)), true, true],
  ['an empty CURRENT and a cut table', onFiles(/CURRENT|ldb$/, (path) => truncateSync(path, 0)), false],
  ['no MANIFEST', onFiles(/MANIFEST/, (path) => rmSync(path)), true],
  ['a cut table', onFiles(/ldb$/, (path) => truncateSync(path, 500)), false],
])('a folder with %s is repaired, and what is lost is said once', async (_, cause, isLossless, isNew = false) => {
  const first = await startDynamoDB(folder);
  const value = 10n ** 3_000n;
  const points = Array.from({ length: 30 }, (_, index) => (index + 1) * 3_600);
  for (const timestamp of points)
    await storeOf(first).write('1h', { timestamp, block: { number: 7, timestamp }, values: { totalAssets: value } });
  await first.stop();
  // A table is written from the log when that is opened.
  if (!isNew) await (await startDynamoDB(folder)).stop();
  cause();
  const lines: string[] = [];
  const second = await startDynamoDB(folder, (line) => lines.push(line));
  const found = await storeOf(second).points('1h', 0, 999_999);
  expect(found.length === 30).toBe(isLossless);
  const loss = isLossless ? 'Nothing is lost' : 'Entries of unreadable files are lost: delete it to record all anew';
  expect(lines).toEqual([`--data: ${folder} was damaged and is repaired. ${loss}`]);
  await second.stop();
  await (await startDynamoDB(folder, (line) => lines.push(line))).stop();
  expect(lines).toHaveLength(1);
});
