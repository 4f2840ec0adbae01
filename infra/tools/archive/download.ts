import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  ArchiveError,
  type ArchiveFile,
  MANIFEST,
  type Manifest,
  parseManifest,
} from '../../../lib/archive/manifest.ts';

/** Archives are downloaded before they are imported, so that nothing is written before every hash has been checked. */

/** The manifest at a URL, which is that of the manifest itself or of its folder. */
export async function fetchManifest(url: string): Promise<{ manifest: Manifest; url: string }> {
  const manifestUrl = url.endsWith(`/${MANIFEST}`) ? url : `${url.replace(/\/$/, '')}/${MANIFEST}`;
  const response = await get(manifestUrl);
  return { manifest: parseManifest(await response.text()), url: manifestUrl };
}

/** Downloads files beside a manifest into a folder. Those that are there have been checked by an earlier download. */
export async function downloadFiles(
  url: string,
  files: readonly ArchiveFile[],
  folder: string,
  onBytes: (count: number) => void,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    const path = join(folder, file.name);
    if (!existsSync(path)) await download(new URL(file.name, url).href, path, file);
    onBytes(file.bytes);
  }
}

async function download(url: string, path: string, { bytes, sha256 }: ArchiveFile): Promise<void> {
  const { body } = await get(url);
  const hash = createHash('sha256');
  let received = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      received += chunk.length;
      yield chunk;
    }
  };
  await pipeline(body as AsyncIterable<Uint8Array>, count, createWriteStream(`${path}.part`)).catch(
    (cause: unknown) => {
      throw new ArchiveError(`${url}: the download broke off after ${received} of ${bytes} bytes; run it again`, {
        cause,
      });
    },
  );
  if (received !== bytes) throw new ArchiveError(`${url}: has ${received} bytes instead of ${bytes}`);
  if (hash.digest('hex') !== sha256)
    throw new ArchiveError(`${url}: is damaged: its SHA-256 is not the one in ${MANIFEST}`);
  renameSync(`${path}.part`, path);
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new ArchiveError(`${url}: does not answer`, { cause });
  });
  if (!response.ok) throw new ArchiveError(`${url}: answers with status ${response.status}`);
  return response;
}
