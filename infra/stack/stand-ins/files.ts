import fs from 'node:fs';

/**
 * Stands in for `node:fs/promises` in bundles, so that Node loads that module when it is first used and not in every
 * cold start. The SDK can read settings from files, of which Lambda has none.
 */
export const readFile = (path: string, encoding: BufferEncoding) => fs.promises.readFile(path, encoding);
/** For `infra/local/archive-files.ts`, of which the recorder of archives uses other parts. */
export const open = (...args: Parameters<typeof fs.promises.open>) => fs.promises.open(...args);
