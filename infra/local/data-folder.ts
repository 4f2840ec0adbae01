/** The folder of `--data`: it belongs to one process, and its faults are reported in one line. */

import { isFree } from './dynamodb.ts';
import { StartError } from './start-error.ts';

const FULL = /no space left|quota exceeded|file too large/i;

/** Creates the folder if need be. Throws StartError if it cannot be used, or if another process records to it. */
export async function requireFree(folder: string): Promise<void> {
  const free = await isFree(folder).catch((error: Error) => {
    throw new StartError(describeFault(folder, error));
  });
  if (!free)
    throw new StartError(`--data: ${folder} is in use by another npm start; stop that one, or name another folder`);
}

/**
 * Reports when the tables in a folder can no longer be read or written, for example because the disk is full. The engine
 * throws such errors where nobody can catch them. Returns a function that ends the watch.
 */
export function watchFolder(folder: string, onFault: (fault: string) => void): () => void {
  const onError = (error: Error) => {
    if (!isOfStore(error)) throw error;
    onFault(describeFault(folder, error));
  };
  process.on('uncaughtException', onError);
  return () => process.off('uncaughtException', onError);
}

function describeFault(folder: string, error: Error): string {
  const { message, code } = (isOfStore(error.cause) ? error.cause : error) as NodeJS.ErrnoException;
  if (FULL.test(message))
    return `--data: the disk of ${folder} is full. Free some space and start again: recorded data is kept.`;
  if (!code?.startsWith('LEVEL_')) return `--data: ${folder} cannot be used (${code})`;
  const reason = message.replaceAll(`${folder}/`, '');
  return `--data: ${folder} cannot be used (${reason}). Delete it to record everything again, or name another folder.`;
}

/** True if LevelDB, in which the engine keeps its tables, has thrown the error. */
function isOfStore(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('LEVEL_');
}
