/** An archive in a folder or at a URL. */

import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ArchiveError, type ArchiveFile, MANIFEST, parseManifest } from '../../../lib/archive/manifest.ts';
import { type Archive, tableFiles } from '../../../lib/archive/read-table.ts';
import { readManifest } from '../../../lib/archive/verify-files.ts';
import { startProgress } from '../../local/progress.ts';

export interface OpenArchive extends Archive {
  /** The files that an import reads, whose hashes have to be checked. */
  files: readonly ArchiveFile[];
}

/**
 * Opens an archive. The files that an import needs are downloaded from a URL into a new folder of this user alone, which
 * is deleted when the process ends.
 */
export async function openArchive(source: string): Promise<OpenArchive> {
  if (!/^https?:/.test(source)) {
    const manifest = readManifest(source);
    return { folder: source, manifest, files: tableFiles(manifest) };
  }
  const url = source.endsWith(`/${MANIFEST}`) ? source : `${source.replace(/\/$/, '')}/${MANIFEST}`;
  const text = await (await get(url)).text();
  const manifest = parseManifest(text);
  const files = tableFiles(manifest);
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, MANIFEST), text);
  console.log(`Downloading ${files.length} files, ${(sumBytes(files) / 1e6).toFixed(1)} MB, to ${folder}`);
  const step = startProgress(sumBytes(files));
  for (const { name, bytes } of files) {
    const { body } = await get(new URL(name, url).href);
    const file = createWriteStream(join(folder, name));
    await pipeline(Readable.from(limited(body ?? [], name, bytes)), file).catch((cause: unknown) => {
      throw cause instanceof ArchiveError ? cause : new ArchiveError(`${name}: the download broke off`, { cause });
    });
    step(bytes);
  }
  return { folder, manifest, files };
}

/** The bytes of a file. Throws once they exceed the size in the manifest. */
async function* limited(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name: string, bytes: number) {
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > bytes) throw new ArchiveError(`${name}: has more than ${bytes} bytes`);
    yield chunk;
  }
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new ArchiveError(`${url}: does not answer`, { cause });
  });
  if (!response.ok) throw new ArchiveError(`${url}: answers with status ${response.status}`);
  return response;
}

export function sumBytes(files: readonly ArchiveFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
