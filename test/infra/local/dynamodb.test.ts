import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { type LocalDynamoDB, requireFree, startDynamoDB } from '../../../infra/local/dynamodb.ts';
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
  const client = new DynamoDBClient({
    endpoint: env.AWS_ENDPOINT_URL_DYNAMODB as string,
    region: 'local',
    credentials,
  });
  return new HistoryStore(new DynamoTable(client, 'history', HISTORY), 'fuji');
}

test('what was written is there at the next start, and the folder is free between the two', async () => {
  await requireFree(folder);
  const first = await startDynamoDB(folder);
  const point = { timestamp: 3_600, block: { number: 7, timestamp: 3_599 }, values: { totalAssets: 10n ** 30n } };
  await storeOf(first).write('1h', point);
  await expect(requireFree(folder)).rejects.toThrow('is in use by another npm start');
  await first.stop();
  await requireFree(folder);
  const second = await startDynamoDB(folder);
  expect(await storeOf(second).points('1h', 0, 9_999)).toEqual([point]);
  await second.stop();
});
