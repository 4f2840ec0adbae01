import { homedir } from 'node:os';
import { join } from 'node:path';
import { isFree } from './dynamodb.ts';
import { reasonOf } from './reason.ts';
import { StartError } from './start-error.ts';

/** Default of `--data`: the folder for the data that `npm start` records of real networks. */
export const DATA_FOLDER = join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'staking-data-service');

/** Creates the folder if need be. Throws StartError if it cannot be used, or if another process records to it. */
export async function requireFree(folder: string): Promise<void> {
  const free = await isFree(folder).catch((error: Error) => {
    throw new StartError(`--data: ${folder} cannot be used (${reasonOf(error)}); name another folder`);
  });
  if (!free)
    throw new StartError(`--data: ${folder} is in use by another npm start; stop that one, or name another folder`);
}
