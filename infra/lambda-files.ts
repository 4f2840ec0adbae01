import fs from 'node:fs';

/**
 * Stands in for `node:fs/promises` in bundles: the SDK can read its settings from files, which Lambda has none of. Node loads that module
 * when it is first used, and not with every cold start.
 */
export const readFile = (path: string, encoding: BufferEncoding) => fs.promises.readFile(path, encoding);
