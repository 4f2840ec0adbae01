import fs from 'node:fs';

/**
 * Stands in for `node:fs/promises` in bundles, so that Node loads that module when it is first used and not in every
 * cold start. The SDK can read settings from files, of which Lambda has none.
 */
export const readFile = (path: string, encoding: BufferEncoding) => fs.promises.readFile(path, encoding);
