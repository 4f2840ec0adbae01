import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder outside the repository for programs that take long to build, kept for the next time. */
export const KEPT_FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staking-data-service');

/** Folder for the data that `npm start` records of real networks. */
export const DATA_FOLDER = join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'staking-data-service');
