import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from './hashed-file.ts';
import { ArchiveError, type ArchiveFile, MANIFEST, type Manifest, parseManifest } from './manifest.ts';

/** Reads the manifest of the archive in a folder. Throws an {@link ArchiveError} if it is missing or cannot be used. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  if (!existsSync(path))
    throw new ArchiveError(`${folder}: has no ${MANIFEST}, so it is no archive, or its export has not finished`);
  return parseManifest(readFileSync(path, 'utf8'));
}

/** Throws an {@link ArchiveError} for the first of these files that is missing or differs from the manifest. */
export async function verifyFiles(
  folder: string,
  files: readonly ArchiveFile[],
  onBytes: (count: number) => void = () => {},
): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) throw new ArchiveError(`${name}: is missing`);
    if (found.size !== bytes) {
      const cut = found.size < bytes ? ': it is cut short' : '';
      throw new ArchiveError(`${name}: has ${found.size} bytes instead of ${bytes}${cut}`);
    }
    if ((await hashFile(path, onBytes)).toString('hex') !== sha256)
      throw new ArchiveError(`${name}: is damaged: its SHA-256 is not the one in ${MANIFEST}`);
  }
}
