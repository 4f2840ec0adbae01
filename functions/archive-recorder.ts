/**
 * The recorder of archives: a function that runs every hour, and exports everything to the bucket behind the edge if the
 * day has no archive yet. So a run that failed is made up for by the next one.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { createServices, type Services } from '../lib/api/services.ts';
import { ArchiveBucket } from '../lib/archive/archive-bucket.ts';
import { exportArchive } from '../lib/archive/export.ts';
import { listSources } from '../lib/archive/lists.ts';
import type { Manifest } from '../lib/archive/manifest.ts';
import { KEPT_ARCHIVES, type MadeArchive, readArchives, recordArchive } from '../lib/history/archives.ts';
import { WRITTEN_WITH_EVENTS } from '../lib/ledger/mismatches.ts';
import { type Clock, toTenths } from '../lib/runtime/clock.ts';
import { RECORDER_LIMITS } from '../lib/runtime/context.ts';
import { createRuntime, type Runtime } from '../lib/runtime/lambda-runtime.ts';
import { type ScheduledHandler, scheduled } from '../lib/runtime/scheduled.ts';
import { isoDay } from '../lib/values/iso-time.ts';
import { ARCHIVED_LISTS } from './index.ts';

/** Its settings besides those of the endpoints. */
interface Settings {
  bucket: ArchiveBucket;
  /** Commit of the service. */
  commit: string;
}

/**
 * The Lambda handler. Throws if the day's archive could not be made. The age of the newest archive is reported before the
 * next one is made, because a run that times out or runs out of memory reports nothing after that.
 */
export function createArchiveRecorder(runtime: Runtime<Services>, { bucket, commit }: Settings): ScheduledHandler {
  const { telemetry } = runtime;
  return scheduled(telemetry, async () => {
    const { age, due } = await readDue(runtime).catch((error) => {
      telemetry.record('ArchiveAge', ageOf(undefined, runtime.clock));
      throw error;
    });
    telemetry.record('ArchiveAge', age);
    if (!due) return;
    telemetry.flush();
    await makeArchive({ ...due, bucket, commit });
  });
}

interface Due {
  context: Services;
  day: string;
}

/** The age of the newest archive in seconds, and the archive to make, if the day has none yet. */
async function readDue(runtime: Runtime<Services>): Promise<{ age: number; due?: Due }> {
  const context = await runtime.context();
  const { coverageOf } = await context.ledger.progress.latest();
  const { complete, toTimestamp } = coverageOf(WRITTEN_WITH_EVENTS);
  // An archive would lack most of the past until all of it is indexed: none is due.
  if (!complete) return { age: 0 };
  const [newest] = await readArchives(context);
  const age = ageOf(newest, runtime.clock);
  const day = isoDay(toTimestamp);
  return newest?.day === day ? { age } : { age, due: { context, day } };
}

/** Seconds since an archive's block. Without an archive, since 1970: too old for any alarm. */
function ageOf(archive: MadeArchive | undefined, clock: Clock): number {
  return clock.now() / 1_000 - (archive?.block.timestamp ?? 0);
}

interface Making extends Settings {
  context: Services;
  day: string;
}

async function makeArchive({ context, bucket, commit, day }: Making): Promise<void> {
  // A run may have died before it recorded the archive that it had made.
  const { block } = (await bucket.manifest(day)) ?? (await uploadArchive({ context, bucket, commit, day }));
  await recordArchive(context, block);
  await deleteOld(context, bucket);
}

async function uploadArchive({ context, bucket, commit, day }: Making): Promise<Manifest> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    const manifest = await exportDay(context, folder, commit);
    await bucket.upload(folder, manifest);
    const { block, files } = manifest;
    const seconds = toTenths((performance.now() - started) / 1_000);
    context.telemetry.info('archive', { day, block: block.number, files: files.length, seconds });
    return manifest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes the archives that are not listed any more. */
async function deleteOld(context: Services, bucket: ArchiveBucket): Promise<void> {
  const kept = await readArchives(context);
  if (kept.length === KEPT_ARCHIVES) await bucket.deleteBefore(kept.at(-1)?.day as string);
}

/** Exports with the lists or, if the chain cannot be read at the archive's block, without: an export goes on where it was. */
async function exportDay(context: Services, folder: string, commit: string): Promise<Manifest> {
  const moreSources = (block: Manifest['block']) => listSources(context, block, ARCHIVED_LISTS);
  try {
    return await exportArchive(context, folder, commit, { moreSources });
  } catch (error) {
    context.telemetry.warn('the archive is made without lists of the state', { error });
    return exportArchive(context, folder, commit);
  }
}

const { ARCHIVE_BUCKET = '', COMMIT = '' } = process.env;

export const handler = createArchiveRecorder(
  createRuntime((config, telemetry) => createServices(config, telemetry, { limits: RECORDER_LIMITS })),
  {
    bucket: new ArchiveBucket(new S3Client({}), ARCHIVE_BUCKET),
    commit: COMMIT,
  },
);
