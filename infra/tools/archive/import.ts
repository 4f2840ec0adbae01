/**
 * `npm run import -- DIR|URL`: fills empty tables from an archive (lib/archive), after checking every hash. Uses the same
 * environment variables as the functions: NETWORK, HISTORY_TABLE, LEDGER_TABLE, AWS_*. With RPC_URLS, a sample is
 * compared with the chain first. Can be interrupted and run again at any time.
 */

import type { Services } from '../../../lib/api/services.ts';
import { compareEvents } from '../../../lib/archive/compare-chain.ts';
import { importArchive, requireSameForm } from '../../../lib/archive/import.ts';
import { ArchiveError } from '../../../lib/archive/manifest.ts';
import { type Archive, tableFiles } from '../../../lib/archive/read-table.ts';
import { verifyFiles } from '../../../lib/archive/verify-files.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { startProgress } from '../../local/progress.ts';
import { reasonOf } from '../../local/reason.ts';
import { contextOfTables, endsOnSignal, runCommand, UsageError } from '../command.ts';
import { openArchive, sumBytes } from './open.ts';

endsOnSignal();
await runCommand(async () => {
  const [source, ...others] = process.argv.slice(2);
  if (!source || others.length > 0) throw new UsageError('name an archive: npm run import -- DIR, or -- URL');
  const context = contextOfTables();
  // By default, the settings name public providers. No request goes to them unless RPC_URLS is set.
  const hasChain = Boolean(process.env.RPC_URLS);
  const { folder, manifest, files } = await openArchive(source);
  requireSameForm(context.config, manifest);

  console.log(`Checking ${files.length} files`);
  const checking = startProgress(sumBytes(files));
  await verifyFiles(folder, files, checking);

  if (hasChain) await compare(context, { folder, manifest });

  const rows = tableFiles(manifest).reduce((sum, file) => sum + (file.rows ?? 0), 0);
  console.log(`Importing ${manifest.network} up to block ${manifest.ledger.to}`);
  const importing = startProgress(rows);
  const started = performance.now();
  await importArchive(context, folder, manifest, importing).catch(refused);
  console.log(`Done: ${rows} rows in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
});

/** Throws an {@link ArchiveError} for any other error: the rows of an archive are untrusted input. */
function refused(cause: unknown): never {
  if (cause instanceof ApiError || cause instanceof ArchiveError) throw cause;
  throw new ArchiveError(
    isOfTable(cause as Error)
      ? 'a table did not answer: run it again'
      : 'the archive holds rows that this release cannot read',
    { cause },
  );
}

/** True if a request of AWS's SDK failed for a reason other than the data to be written. */
function isOfTable(error: Error): boolean {
  return '$metadata' in error && error.name !== 'ValidationException';
}

/** Compares a sample with the chain. If the chain cannot be read, the import goes on: every hash was verified. */
async function compare(context: Services, archive: Archive): Promise<void> {
  try {
    console.log(`Compared with the chain: ${await compareEvents(context, archive)} events`);
  } catch (error) {
    if (!(error instanceof ApiError)) refused(error);
    console.log(`Not compared with the chain: events (${reasonOf(error)})`);
  }
}
