import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { openArchiveFile, readArchiveText } from './archive-file.ts';
import { ArchiveError, type ArchiveFile, MANIFEST, MANIFEST_BYTES, type Manifest, parseManifest } from './manifest.ts';

/** The manifest of the archive in a folder. Throws an {@link ArchiveError} if there is none, or it cannot be used. */
export function readManifest(folder: string): Manifest {
  if (!existsSync(join(folder, MANIFEST)))
    throw new ArchiveError(`${folder}: has no ${MANIFEST}, so it is no archive, or its export has not finished`);
  return parseManifest(readArchiveText(folder, MANIFEST, MANIFEST_BYTES));
}

/** Throws an {@link ArchiveError} for the first of these files that is missing or not as the manifest says. */
export async function verifyFiles(
  folder: string,
  files: readonly ArchiveFile[],
  onBytes: (count: number) => void = () => {},
): Promise<void> {
  for (const file of files) {
    const fd = openArchiveFile(folder, file.name);
    await verify(fd, file, onBytes).finally(() => closeSync(fd));
  }
}

async function verify(fd: number, { name, bytes, sha256 }: ArchiveFile, onBytes: (count: number) => void) {
  const { size } = fstatSync(fd);
  if (size !== bytes)
    throw new ArchiveError(`${name}: has ${size} bytes instead of ${bytes}${size < bytes ? ': it is cut short' : ''}`);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream('', { fd, autoClose: false })) {
    hash.update(chunk);
    onBytes(chunk.length);
  }
  if (hash.digest('hex') !== sha256)
    throw new ArchiveError(`${name}: is damaged: its SHA-256 is not the one in ${MANIFEST}`);
}
