import { exportArchive } from '../../../lib/archive/export.ts';
import { ArchiveError } from '../../../lib/archive/manifest.ts';
import { commitOf } from '../../stack/commit.ts';
import { type Progress, startProgress } from '../progress.ts';
import { contextOfTables, runCommand } from './command.ts';

/**
 * `npm run export -- DIR`: everything that the service knows, as files (lib/archive). Uses the same environment
 * variables as the functions: NETWORK, HISTORY_TABLE, LEDGER_TABLE, AWS_*. Can be interrupted and run again at any time.
 */

await runCommand(async () => {
  const [folder, ...others] = process.argv.slice(2);
  if (!folder || others.length > 0) throw new ArchiveError('name a folder: npm run export -- DIR');
  const started = performance.now();
  let progress: Progress | undefined;
  let reached = 0;
  const { files, block } = await exportArchive(contextOfTables(), folder, commitOf(import.meta.dirname), {
    onPart: ({ name, total }) => {
      progress?.end();
      console.log(`Exporting ${name}`);
      progress = startProgress(total);
      reached = 0;
    },
    onStep: (done, rows) => {
      progress?.step(done - reached, `${rows} rows`);
      reached = done;
    },
  });
  progress?.end();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    `Done: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, to block ${block.number}, in ${seconds} s.`,
  );
});
