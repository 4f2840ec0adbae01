/**
 * The recorder of archives: a function that runs every hour, and exports everything to the bucket behind the edge if the
 * day has no archive yet. So a run that failed is made up for by the next one.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { Context as LambdaContext } from 'aws-lambda';
import type { PreviousArchive } from '../../../lib/archive/base.ts';
import { exportArchive } from '../../../lib/archive/export.ts';
import type { Manifest } from '../../../lib/archive/manifest.ts';
import { KEPT_ARCHIVES, type MadeArchive, readArchives, recordArchive } from '../../../lib/history/archives.ts';
import { ledgerOf } from '../../../lib/ledger/ledger-store.ts';
import { WRITTEN_WITH_EVENTS } from '../../../lib/ledger/mismatches.ts';
import { toTenths } from '../../../lib/runtime/clock.ts';
import { type Context, RECORDER_LIMITS } from '../../../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../../../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../../../lib/runtime/scheduled.ts';
import { isoDay } from '../../../lib/values/iso-time.ts';
import { ArchiveBucket } from './bucket.ts';
import { stateParts } from './state-parts.ts';

/** For the upload, and for what else is left to do without the last state. */
const RESERVE_MS = 5 * 60_000;

/** Its settings besides those of the endpoints. */
interface Settings {
  bucket: ArchiveBucket;
  /** Of the service. */
  commit: string;
}

/**
 * The Lambda handler. Throws if the day's archive could not be made. The age of the newest archive is reported before the
 * next one is made, because a run that times out or runs out of memory reports nothing after that.
 */
export function createArchiveRecorder(runtime: Runtime, { bucket, commit }: Settings): ScheduledHandler {
  const { telemetry } = runtime;
  return scheduled(telemetry, async (lambdaContext) => {
    const { age, due } = await readDue(runtime).catch((error) => {
      telemetry.record('ArchiveAge', ageOf(undefined));
      throw error;
    });
    telemetry.record('ArchiveAge', age);
    if (!due) return;
    telemetry.flush();
    await makeArchive({ ...due, bucket, commit, lambdaContext }, due.newest);
  });
}

interface Due {
  context: Context;
  day: string;
  newest: MadeArchive | undefined;
}

/** The age of the newest archive in seconds, and the archive to make, if the day has none yet. */
async function readDue(runtime: Runtime): Promise<{ age: number; due?: Due }> {
  const context = await runtime.context();
  const { coverageOf } = await ledgerOf(context).progress.latest();
  const { complete, toTimestamp } = coverageOf(WRITTEN_WITH_EVENTS);
  // An archive would lack most of the past until all of it is indexed: none is due.
  if (!complete) return { age: 0 };
  const [newest] = await readArchives(context);
  const age = ageOf(newest);
  const day = isoDay(toTimestamp);
  return newest?.day === day ? { age } : { age, due: { context, day, newest } };
}

/** Seconds since an archive's block. Without an archive, since 1970: too old for any alarm. */
function ageOf(archive: MadeArchive | undefined): number {
  return Date.now() / 1_000 - (archive?.block.timestamp ?? 0);
}

interface Making extends Settings {
  context: Context;
  lambdaContext: LambdaContext;
  day: string;
}

async function makeArchive(making: Making, newest: MadeArchive | undefined): Promise<MadeArchive> {
  const { context, bucket, day } = making;
  const started = performance.now();
  // A run may have died before it told of the archive that it had made.
  const whole = await bucket.manifest(day);
  if (whole) return tellOf(context, whole);
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    const earlier = newest && (await bucket.manifest(newest.day));
    const manifest = await exportDay(making, folder, earlier);
    await bucket.upload(folder, manifest, earlier);
    const { block, files } = manifest;
    const seconds = toTenths((performance.now() - started) / 1_000);
    context.telemetry.info('archive', { day, block: block.number, files: files.length, seconds });
    const made = await tellOf(context, manifest);
    await deleteOld(context, bucket);
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes the archives that are not listed any more. */
async function deleteOld(context: Context, bucket: ArchiveBucket): Promise<void> {
  const kept = await readArchives(context);
  if (kept.length === KEPT_ARCHIVES) await bucket.deleteBefore(kept.at(-1)?.day as string);
}

async function tellOf(context: Context, { day, block }: Manifest): Promise<MadeArchive> {
  await recordArchive(context, block);
  return { day, block };
}

/** Exports with the last state or, if the chain cannot be read in time, without: an export goes on where it was. */
async function exportDay(
  { context, bucket, commit, lambdaContext, day }: Making,
  folder: string,
  earlier: Manifest | undefined,
): Promise<Manifest> {
  const download: PreviousArchive['download'] = (files, folder) =>
    bucket.download(earlier?.day as string, files, folder);
  // On the first of a month, everything is read: gaps in the history's past may have been filled.
  const base = earlier && !day.endsWith('-01') ? { manifest: earlier, download } : undefined;
  const onMissing = (missing: readonly string[]) => {
    if (missing.length > 0) context.telemetry.warn('not in the last state', { missing });
  };
  const mayGoOn = () => lambdaContext.getRemainingTimeInMillis() > RESERVE_MS;
  try {
    return await exportArchive(context, folder, commit, { base, moreParts: stateParts(context, onMissing, mayGoOn) });
  } catch (error) {
    context.telemetry.warn('the archive is made without the last state', { error });
    return exportArchive(context, folder, commit, { base });
  }
}

const { ARCHIVE_BUCKET = '', COMMIT = '' } = process.env;

export const handler = createArchiveRecorder(createRuntime(RECORDER_LIMITS), {
  bucket: new ArchiveBucket(new S3Client({}), ARCHIVE_BUCKET),
  commit: COMMIT,
});
