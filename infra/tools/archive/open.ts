/** An archive in a folder or at a URL. */

import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ArchiveError,
  type ArchiveFile,
  MANIFEST,
  type Manifest,
  manifestText,
} from '../../../lib/archive/manifest.ts';
import type { Archive } from '../../../lib/archive/read-kind.ts';
import { readManifest } from '../../../lib/archive/verify-files.ts';
import { startProgress } from '../progress.ts';
import { downloadFiles, fetchManifest } from './download.ts';

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
  const folder = privateFolder(join(tmpdir(), `archive-${hash('sha256', manifestText(manifest)).slice(0, 16)}`));
  requireSpace(folder, bytesOf(files));
  console.log(`Downloading ${files.length} files, ${megabytes(bytesOf(files))}, to ${folder}`);
  const progress = startProgress(bytesOf(files));
  await downloadFiles(url, files, folder, progress);
  writeFileSync(join(folder, MANIFEST), manifestText(manifest));
  return { folder, manifest, files };
}

/** A folder that nobody else can read or has put anything into: in the folder for temporary files, anybody may have made it before. */
function privateFolder(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
  const found = lstatSync(path);
  const { uid, mode } = found;
  if (!found.isDirectory() || uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new ArchiveError(`${path}: is not a folder of yours alone: delete it, or name another folder in TMPDIR`);
  return path;
}

/** A manifest may promise anything. */
function requireSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bytes > bavail * bsize)
    throw new ArchiveError(`${folder}: the archive has ${megabytes(bytes)}, and ${megabytes(bavail * bsize)} are free`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function bytesOf(files: readonly ArchiveFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
