import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder with its parents. Throws if it cannot be written. Node's `recursive` never ends in /proc. */
export function createFolder(path: string): void {
  if (!existsSync(path)) {
    createFolder(dirname(path));
    try {
      mkdirSync(path);
    } catch (error) {
      // Another program may have created it meanwhile.
      if (!existsSync(path)) throw error;
    }
  }
  accessSync(path, constants.W_OK);
}
