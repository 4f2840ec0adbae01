/** All tables of an archive and their descriptions, in one file to download. */

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { bundleName } from './bundle-name.ts';
import { HashedFile } from './hashed-file.ts';
import { MANIFEST, type Manifest, manifestText } from './manifest.ts';

/** The earliest time of the Zip format. All entries have this time, so that the same files give the same bytes. */
const MTIME = '1980-01-01T00:00:00';
/** File with the hashes of the pages. The bundle does not hold the pages, so it leaves out this file, too. */
export const WEBSITE = 'website.sha256';

/** Writes the bundle of an archive whose files are in a folder. Returns its size in bytes. */
export async function writeBundle(folder: string, manifest: Manifest): Promise<number> {
  const bundle = new HashedFile(join(folder, bundleName(manifest.day)));
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    bundle.write(chunk);
  });
  const add = async (name: string, content: AsyncIterable<Uint8Array>) => {
    // Parquet is compressed already.
    const entry = name.endsWith('.parquet') ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    entry.mtime = MTIME;
    zip.add(entry);
    for await (const chunk of content) entry.push(chunk);
    entry.push(new Uint8Array(), true);
  };
  for (const { name } of manifest.files.filter(({ name }) => name !== WEBSITE))
    await add(name, createReadStream(join(folder, name)));
  await add(
    MANIFEST,
    (async function* () {
      yield Buffer.from(manifestText(manifest));
    })(),
  );
  zip.end();
  return bundle.close().bytes;
}
