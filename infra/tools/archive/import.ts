import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importArchive, importedFiles } from '../../../lib/archive/import.ts';
import { ArchiveError, type ArchiveFile, type Manifest, manifestText } from '../../../lib/archive/manifest.ts';
import { readManifest, verifyFiles } from '../../../lib/archive/verify-files.ts';
import { startProgress } from '../progress.ts';
import { contextOfTables, runCommand } from './command.ts';
import { downloadFiles, fetchManifest } from './download.ts';

/**
 * `npm run import -- DIR|URL`: fills empty tables from an archive (lib/archive), after checking every hash. Uses the same
 * environment variables as the functions: NETWORK, HISTORY_TABLE, LEDGER_TABLE, AWS_*. Can be interrupted and run again
 * at any time.
 */

await runCommand(async () => {
  const [source, ...others] = process.argv.slice(2);
  if (!source || others.length > 0) throw new ArchiveError('name an archive: npm run import -- DIR, or -- URL');
  const context = contextOfTables();
  const { folder, manifest, files } = /^https?:/.test(source) ? await fetched(source) : local(source);

  console.log(`Checking ${files.length} files`);
  const checking = startProgress(bytesOf(files));
  await verifyFiles(folder, files, (bytes) => checking.step(bytes));
  checking.end();

  const rows = importedFiles(manifest).reduce((sum, file) => sum + (file.rows ?? 0), 0);
  console.log(`Importing ${manifest.network} up to block ${manifest.ledger.to}`);
  const importing = startProgress(rows);
  const started = performance.now();
  await importArchive(context, folder, manifest, (count) => importing.step(count));
  importing.end();
  console.log(`Done: ${rows} rows in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
});

interface Found {
  folder: string;
  manifest: Manifest;
  files: readonly ArchiveFile[];
}

function local(folder: string): Found {
  const manifest = readManifest(folder);
  return { folder, manifest, files: manifest.files };
}

/** Downloads what an import reads into a folder that is the same the next time. */
async function fetched(source: string): Promise<Found> {
  const { manifest, url } = await fetchManifest(source);
  const files = importedFiles(manifest);
  const folder = join(tmpdir(), `archive-${hash('sha256', manifestText(manifest)).slice(0, 16)}`);
  console.log(`Downloading ${files.length} files to ${folder}`);
  const progress = startProgress(bytesOf(files));
  await downloadFiles(url, files, folder, (bytes) => progress.step(bytes));
  progress.end();
  return { folder, manifest, files };
}

function bytesOf(files: readonly ArchiveFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
