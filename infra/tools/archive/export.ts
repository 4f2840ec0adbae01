/**
 * `npm run export -- DIR`: exports all data of the service as files (lib/archive). Uses the same environment
 * variables as the functions: NETWORK, HISTORY_TABLE, LEDGER_TABLE, AWS_*. Can be interrupted and run again at any time. With
 * --incomplete, also while the past has not been recorded.
 */

import { parseArgs } from 'node:util';
import { ARCHIVED_LISTS } from '../../../functions/index.ts';
import type { Services } from '../../../lib/api/services.ts';
import { type ExportOptions, exportArchive } from '../../../lib/archive/export.ts';
import { listSources } from '../../../lib/archive/lists.ts';
import { ArchiveError } from '../../../lib/archive/manifest.ts';
import { describeMissing, readRecordedPast } from '../../../lib/archive/recorded-past.ts';
import { checkLedger } from '../../../lib/ledger/check-ledger.ts';
import { LedgerRecorder } from '../../../lib/ledger/record-ledger.ts';
import { writeWebsite } from '../../archive-site/website.ts';
import { startProgress } from '../../local/progress.ts';
import { reasonOf } from '../../local/reason.ts';
import { readCommit } from '../../stack/commit.ts';
import { contextOfTables, endsOnSignal, runCommand, UsageError } from '../command.ts';

endsOnSignal();
await runCommand(async () => {
  const { folder, incomplete } = readArguments();
  const started = performance.now();
  let progress: ReturnType<typeof startProgress> | undefined;
  let reached = 0;
  const context = contextOfTables();
  await requirePast(context, incomplete);
  // An archive is permanent, so the ledger is checked first. Without old states, the last check has to do.
  const recorder = new LedgerRecorder(context.chain, context.ledger);
  await checkLedger({ ...context, recorder, mayGoOn: () => true }).catch((error: Error) =>
    console.log(`Not compared with the contracts: ${reasonOf(error)}`),
  );
  const unanswered: string[] = [];
  const website = {
    onStep(done: number, total: number) {
      if (done === 1) {
        console.log('Exporting the website');
        progress = startProgress(total);
      }
      progress?.();
    },
    onMissing: (file: string) => unanswered.push(file),
  };
  const ofState: ExportOptions = {
    moreSources: (block) => listSources(context, block, ARCHIVED_LISTS),
    moreFiles: (archive, kinds) => writeWebsite(context, archive, kinds, website),
  };
  const { files, block } = await exportArchive(context, folder, readCommit(import.meta.dirname), {
    ...((await hasState(context)) && ofState),
    onSource: ({ name, total }) => {
      console.log(`Exporting ${name}`);
      progress = startProgress(total);
      reached = 0;
    },
    onStep: (done, rows) => {
      progress?.(done - reached, `${rows} rows`);
      reached = done;
    },
  });
  if (unanswered.length > 0) {
    const [first, ...others] = unanswered.toSorted();
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    console.log(`Not in the archive, because the source did not answer: ${first}${more}`);
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    `Done: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, to block ${block.number}, in ${seconds} s.`,
  );
});

function readArguments(): { folder: string; incomplete: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { incomplete: { type: 'boolean', default: false } },
    });
    const [folder, ...others] = positionals;
    if (folder && others.length === 0) return { folder, incomplete: values.incomplete };
  } catch {
    // An unknown option.
  }
  throw new UsageError('name a folder: npm run export -- DIR [--incomplete]');
}

/**
 * Throws {@link ArchiveError} if the past is not recorded, unless `incomplete`: readers would take such an archive for
 * the complete history.
 */
async function requirePast(context: Services, incomplete: boolean): Promise<void> {
  const { progress } = context.ledger;
  const { toTimestamp } = await progress.coverage();
  const { first } = await progress.read();
  const missing = describeMissing({ ledger: { first }, history: await readRecordedPast(context, toTimestamp) });
  if (missing && !incomplete)
    throw new ArchiveError(
      `${missing}: wait for the recorder, run npm run backfill, or use --incomplete to export before history is complete`,
    );
  if (missing) console.log(`Incomplete: ${missing}`);
}

/** True if the chain still has the state at the ledger's last block. If not, only the tables are exported. */
async function hasState(context: Services): Promise<boolean> {
  const { toBlock } = await context.ledger.progress.coverage();
  try {
    await (await context.chain.at(toBlock)).block();
    return true;
  } catch (error) {
    console.log(`Tables only, without a website: block ${toBlock} cannot be read (${reasonOf(error as Error)})`);
    return false;
  }
}
