import { hash } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import { unzipSync } from 'fflate';
import { createArchiveRecorder } from '../../functions/archive-recorder.ts';
import { ArchiveBucket } from '../../lib/archive/archive-bucket.ts';
import type { Manifest } from '../../lib/archive/manifest.ts';
import { readArchives, recordArchive } from '../../lib/history/archives.ts';
import { dynamoDB } from '../../lib/tables/dynamodb.ts';
import { HOUR } from '../../lib/values/durations.ts';
import { entriesFrom, fillTables, START, startArchivist } from '../lib/archive/sample.ts';
import { clockAt } from '../support/clock.ts';
import { GUARD_MS } from '../support/guard.ts';
import type { TestRuntime } from '../support/runtime.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** The recorder of archives, with a server that keeps objects as S3 does. Without a chain, there is no last state. */

const NEW_YEAR = 1_735_689_600;
const FIRST_DAY = '2025-01-03';
const SECOND_DAY = '2025-01-04';

tablesForEachTest();

let s3: S3Server;
let runtime: TestRuntime;
/** Unix seconds. */
let now: number;
const clock = clockAt(() => now * 1_000);

beforeEach(async () => {
  s3 = await startS3();
  now = START + 100 * HOUR;
  runtime = startArchivist({}, { clock });
  await fillTables(runtime);
});
afterEach(async () => {
  await s3.stop();
});

async function run(commit = 'c0ffee', container = runtime): Promise<void> {
  const bucket = new ArchiveBucket(s3.client, 'bucket');
  const recorder = createArchiveRecorder(container, { bucket, commit });
  const lambdaContext = { getRemainingTimeInMillis: () => 900_000 } as LambdaContext;
  await recorder({} as EventBridgeEvent<'Scheduled Event', unknown>, lambdaContext);
}

function manifestOf(day: string): Manifest {
  return JSON.parse(String(s3.objects.get(`bucket/archive/${day}/manifest.json`)?.body));
}

/** More events, a day later. */
async function goOn(): Promise<void> {
  const ledger = runtime.opened.ledger;
  await ledger.write(entriesFrom(105));
  await ledger.progress.extend(100, 125, START + 125 * HOUR);
  now = START + 125 * HOUR;
}

test('makes the archive of the day, whole, with the manifest last, and lists it', async () => {
  await run();
  const { files, block } = manifestOf(FIRST_DAY);
  expect(files.length).toBeGreaterThan(20);
  for (const { name, bytes, sha256 } of files) {
    const { body, headers } = s3.objects.get(`bucket/archive/${FIRST_DAY}/${name}`) ?? { body: Buffer.of() };
    expect([name, body.length, hash('sha256', body)]).toEqual([name, bytes, sha256]);
    expect(headers?.['cache-control']).toBe('public, max-age=31536000, immutable');
  }
  const typeOf = (name: string) => s3.objects.get(`bucket/archive/${FIRST_DAY}/${name}`)?.headers['content-type'];
  expect(['events-2025.parquet', 'events-2025.csv', 'manifest.json', 'README.md'].map(typeOf)).toEqual([
    'application/vnd.apache.parquet',
    'text/csv; charset=utf-8',
    'application/json',
    'text/markdown; charset=utf-8',
  ]);
  expect(s3.requests.filter((request) => request.startsWith('PUT')).at(-1)).toMatch(/manifest\.json$/);
  expect(await readArchives(runtime.opened)).toEqual([{ day: FIRST_DAY, block }]);
});

test('does nothing for the rest of the day but report the age of its archive', async () => {
  await run();
  s3.requests.length = 0;
  runtime.telemetry.records.length = 0;
  await run();
  expect(s3.requests).toEqual([]);
  expect(runtime.telemetry.records).toEqual([['ArchiveAge', HOUR]]);
});

test('reports the age of the newest archive before it makes one, so also in a run that times out', async () => {
  let flushed: unknown;
  s3.refuse = () => {
    const { records, flushes } = runtime.telemetry;
    flushed ??= [[...records], flushes];
    return true;
  };
  await expect(run()).rejects.toThrow();
  expect(flushed).toEqual([[['ArchiveAge', START + 100 * HOUR]], 1]);
});

test('reports no archive if the ledger cannot be read, or was never begun', async () => {
  const other = startArchivist({ NETWORK: 'fuji' }, { clock });
  await expect(run('c0ffee', other)).rejects.toThrow();
  expect(other.telemetry.records).toEqual([['ArchiveAge', START + 100 * HOUR]]);
});

test('makes another archive on the next day, and uploads its bundle', async () => {
  await run();
  await goOn();
  await run('decade');
  expect(manifestOf(SECOND_DAY).commit).toBe('decade');
  const bundle = s3.objects.get(`bucket/archive/${SECOND_DAY}/gogopool-${SECOND_DAY}.zip`);
  expect(bundle?.headers['content-type']).toBe('application/zip');
  const entries = unzipSync(bundle?.body as Buffer);
  expect(Object.keys(entries)).toEqual([...manifestOf(SECOND_DAY).files.map(({ name }) => name), 'manifest.json']);
  for (const { name, sha256 } of manifestOf(SECOND_DAY).files)
    expect([name, hash('sha256', entries[name] as Uint8Array)]).toEqual([name, sha256]);
});

test('that fails says so, lists nothing, and is made up for by the next run', async () => {
  s3.refuse = (request) => /^PUT .*events-2025\.csv/.test(request);
  await expect(run()).rejects.toThrow();
  expect(await readArchives(runtime.opened)).toEqual([]);
  expect(runtime.telemetry.records).toEqual([['ArchiveAge', START + 100 * HOUR]]);
  s3.refuse = () => false;
  await run();
  expect(await readArchives(runtime.opened)).toMatchObject([{ day: FIRST_DAY }]);
});

test('lists an archive that a run had made when it died, as it is', async () => {
  await run();
  const before = new Map(s3.objects);
  const client = dynamoDB(GUARD_MS);
  const Key = { series: { S: 'devnet#archives#1d' }, timestamp: { N: String(NEW_YEAR + 2 * 86_400) } };
  await client.send(new DeleteItemCommand({ TableName: 'history', Key }));
  client.destroy();
  expect(await readArchives(runtime.opened)).toEqual([]);
  await run();
  expect(s3.objects).toEqual(before);
  expect(await readArchives(runtime.opened)).toMatchObject([{ day: FIRST_DAY }]);
});

test('waits until the whole past has been searched', async () => {
  const fuji = startArchivist({ NETWORK: 'fuji' }, { clock });
  await fuji.opened.ledger.progress.extend(50, 99, START);
  await run('c0ffee', fuji);
  expect(s3.requests).toEqual([]);
  // No archive is missing. Missing data would raise the alarm ArchiveMissing, as after a release that reindexes
  // history.
  expect(fuji.telemetry.records).toEqual([['ArchiveAge', 0]]);
});

test('keeps the last seven archives, however old they are, and deletes those before', async () => {
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => `2024-11-0${day}`);
  for (const day of days) {
    await recordArchive(runtime.opened, { number: 1, timestamp: Date.parse(day) / 1_000 });
    s3.objects.set(`bucket/archive/${day}/events.csv`, { body: Buffer.of(), headers: {} });
  }
  const kept = [FIRST_DAY, ...days.slice(1).reverse()];
  await run();
  expect((await readArchives(runtime.opened)).map(({ day }) => day)).toEqual(kept);
  const folders = new Set([...s3.objects.keys()].map((key) => key.split('/')[2]));
  expect([...folders].sort()).toEqual(kept.toSorted());
});
