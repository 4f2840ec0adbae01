/** Files of an archive that anybody may have made. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveError } from './manifest.ts';

/** A link may lead to what is not the archive's, and a pipe or a device never ends. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file of the archive in a folder for reading. Throws an {@link ArchiveError} if it is missing, or is no plain file. */
export function openArchiveFile(folder: string, name: string): number {
  const file = open(join(folder, name), name);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new ArchiveError(`${name}: is not a file`);
}

/** The text of a file of at most `limit` bytes. */
export function readArchiveText(folder: string, name: string, limit: number): string {
  const file = openArchiveFile(folder, name);
  try {
    if (fstatSync(file).size > limit) throw new ArchiveError(`${name}: has more than ${limit} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function open(path: string, name: string): number {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ArchiveError(`${name}: is missing`);
    throw new ArchiveError(code === 'ELOOP' ? `${name}: is a link` : `${name}: cannot be opened (${code})`);
  }
}
