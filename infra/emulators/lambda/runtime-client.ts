import { join } from 'node:path';
import { KEPT_FOLDER } from '../../local/kept-folder.ts';

/** AWS's runtime client for Node.js. It compiles native code, so it is not a dependency of this project. */
export const RUNTIME_CLIENT = 'aws-lambda-ric@4.0.2';

export const RUNTIME_CLIENT_FOLDER = join(KEPT_FOLDER, RUNTIME_CLIENT);

export const RUNTIME_CLIENT_PROGRAM = join(RUNTIME_CLIENT_FOLDER, 'node_modules/aws-lambda-ric/index.mjs');
