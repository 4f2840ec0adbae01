import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside of the repository: programs that take long to build, to be found again. */
export const KEPT_FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staking-data-service');
