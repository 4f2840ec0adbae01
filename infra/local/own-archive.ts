/** The devnet's own archive, made once, in the background: so that it can be tried out how one is downloaded, read and served. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHIVED_LISTS } from '../../functions/index.ts';
import { createServices } from '../../lib/api/services.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { listSources } from '../../lib/archive/lists.ts';
import type { Archive } from '../../lib/archive/read-table.ts';
import { describeMissing } from '../../lib/archive/recorded-past.ts';
import { recordArchive } from '../../lib/history/archives.ts';
import type { Config } from '../../lib/runtime/config.ts';
import { RECORDER_LIMITS } from '../../lib/runtime/context.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { readCommit } from '../stack/commit.ts';
import { releaseMemory } from './memory.ts';
import { warnOnce } from './warn-once.ts';

/** Makes it when all of the past is recorded, and adds it, by its day, to `archives`. It reports in one line. */
export function startOwnArchive(
  config: Config,
  telemetry: Telemetry,
  recorded: Promise<void>,
  onStep: (line: string) => void,
  archives: Map<string, Archive>,
): { stop(): Promise<void> } {
  let folder: string | undefined;
  const stopping = new AbortController();
  const mayGoOn = () => stopping.signal.throwIfAborted();
  const make = async () => {
    await recorded;
    mayGoOn();
    folder = mkdtempSync(join(tmpdir(), 'devnet-archive-'));
    const context = createServices(config, warnOnce(telemetry), { limits: RECORDER_LIMITS });
    const moreSources = (block: BlockRef) => listSources(context, block, ARCHIVED_LISTS);
    const options = { moreSources, onSource: mayGoOn, onStep: mayGoOn };
    const manifest = await exportArchive(context, folder, readCommit(import.meta.dirname), options);
    const { day, block, files } = manifest;
    const missing = describeMissing(manifest);
    archives.set(day, { folder, manifest });
    await recordArchive(context, block);
    releaseMemory();
    mayGoOn();
    onStep(`Archive: ${files.length} files at /archive/${day}/manifest.json${missing ? `; ${missing}` : ''}`);
  };
  make().catch((error: unknown) => {
    if (!stopping.signal.aborted) telemetry.warn('the archive could not be made', { error });
  });
  return {
    // Does not wait: the unfinished archive is of no use any more, and may still be waiting for the recorder.
    async stop() {
      stopping.abort();
      if (folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}
