import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveFile, MANIFEST, type Manifest, manifestText } from '../../../lib/archive/manifest.ts';
import type { Archive } from '../../../lib/archive/read-kind.ts';
import { readManifest } from '../../../lib/archive/verify-files.ts';
import { startProgress } from '../progress.ts';
import { downloadFiles, fetchManifest } from './download.ts';

/** An archive in a folder or at a URL. */

export interface OpenArchive extends Archive {
  /** Those of its files that are in the folder, and have to be checked. */
  files: readonly ArchiveFile[];
}

/**
 * Opens an archive in a folder or at a URL. Of the latter, only the `needed` files are downloaded, into a folder that is the same the
 * next time.
 */
export async function openArchive(
  source: string,
  needed: (manifest: Manifest) => readonly ArchiveFile[],
): Promise<OpenArchive> {
  if (!/^https?:/.test(source)) {
    const manifest = readManifest(source);
    return { folder: source, manifest, files: manifest.files };
  }
  const { manifest, url } = await fetchManifest(source);
  const files = needed(manifest);
  const folder = join(tmpdir(), `archive-${hash('sha256', manifestText(manifest)).slice(0, 16)}`);
  console.log(`Downloading ${files.length} files to ${folder}`);
  const progress = startProgress(bytesOf(files));
  await downloadFiles(url, files, folder, (bytes) => progress.step(bytes));
  progress.end();
  writeFileSync(join(folder, MANIFEST), manifestText(manifest));
  return { folder, manifest, files };
}

export function bytesOf(files: readonly ArchiveFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
