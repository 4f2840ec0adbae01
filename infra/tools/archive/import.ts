import { importArchive } from '../../../lib/archive/import.ts';
import { ArchiveError } from '../../../lib/archive/manifest.ts';
import { tableFiles } from '../../../lib/archive/read-kind.ts';
import { verifyFiles } from '../../../lib/archive/verify-files.ts';
import { startProgress } from '../progress.ts';
import { contextOfTables, runCommand } from './command.ts';
import { bytesOf, openArchive } from './open.ts';

/**
 * `npm run import -- DIR|URL`: fills empty tables from an archive (lib/archive), after checking every hash. Uses the same
 * environment variables as the functions: NETWORK, HISTORY_TABLE, LEDGER_TABLE, AWS_*. Can be interrupted and run again
 * at any time.
 */

await runCommand(async () => {
  const [source, ...others] = process.argv.slice(2);
  if (!source || others.length > 0) throw new ArchiveError('name an archive: npm run import -- DIR, or -- URL');
  const context = contextOfTables();
  const { folder, manifest, files } = await openArchive(source, tableFiles);

  console.log(`Checking ${files.length} files`);
  const checking = startProgress(bytesOf(files));
  await verifyFiles(folder, files, (bytes) => checking.step(bytes));
  checking.end();

  const rows = tableFiles(manifest).reduce((sum, file) => sum + (file.rows ?? 0), 0);
  console.log(`Importing ${manifest.network} up to block ${manifest.ledger.to}`);
  const importing = startProgress(rows);
  const started = performance.now();
  await importArchive(context, folder, manifest, (count) => importing.step(count));
  importing.end();
  console.log(`Done: ${rows} rows in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
});
