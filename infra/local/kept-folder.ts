import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside the repository: programs that take long to build, kept for the next time. */
export const KEPT_FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'staking-data-service');
