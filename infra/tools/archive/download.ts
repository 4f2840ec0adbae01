/**
 * Archives are downloaded before they are imported, so that nothing is written before every hash has been checked. Whoever serves one
 * may be anybody: no read takes more bytes or time than it should, and none leads elsewhere.
 */

import { createHash } from 'node:crypto';
import { constants, existsSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  ArchiveError,
  type ArchiveFile,
  MANIFEST,
  MANIFEST_BYTES,
  type Manifest,
  parseManifest,
} from '../../../lib/archive/manifest.ts';

/** How long a download waits for the next bytes, and how slow it may be on the whole. */
interface Patience {
  quietMs: number;
  bytesPerMs: number;
}
const PATIENCE: Patience = { quietMs: 30_000, bytesPerMs: 10 };
const MAX_REDIRECTS = 5;

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** The manifest at a URL, which is that of the manifest itself or of its folder. */
export async function fetchManifest(url: string, patience = PATIENCE): Promise<{ manifest: Manifest; url: string }> {
  const manifestUrl = url.endsWith(`/${MANIFEST}`) ? url : `${url.replace(/\/$/, '')}/${MANIFEST}`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyOf(manifestUrl, MANIFEST_BYTES, patience)) chunks.push(chunk);
  return { manifest: parseManifest(Buffer.concat(chunks).toString()), url: manifestUrl };
}

/** Downloads files beside a manifest into a folder. Those that are there have been checked by an earlier download. */
export async function downloadFiles(
  url: string,
  files: readonly ArchiveFile[],
  folder: string,
  onBytes: (count: number) => void,
): Promise<void> {
  for (const file of files) {
    const path = join(folder, file.name);
    if (!existsSync(path)) await download(new URL(file.name, url).href, path, file);
    onBytes(file.bytes);
  }
}

async function download(url: string, path: string, { bytes, sha256 }: ArchiveFile): Promise<void> {
  const hash = createHash('sha256');
  let received = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      received += chunk.length;
      yield chunk;
    }
  };
  // No file of an archive has this name.
  const unfinished = `${path}~`;
  const file = await open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  await pipeline(bodyOf(url, bytes, PATIENCE), count, file.createWriteStream()).catch((cause: unknown) => {
    throw cause instanceof ArchiveError ? cause : new ArchiveError(`${unfinished}: cannot be written`, { cause });
  });
  if (received !== bytes) throw new ArchiveError(`${url}: has ${received} bytes instead of ${bytes}`);
  if (hash.digest('hex') !== sha256)
    throw new ArchiveError(`${url}: is damaged: its SHA-256 is not the one in ${MANIFEST}`);
  renameSync(unfinished, path);
}

/** What is at a URL: at most so many bytes, which arrive in reasonable time. Throws an {@link ArchiveError}. */
async function* bodyOf(url: string, bytes: number, { quietMs, bytesPerMs }: Patience): AsyncGenerator<Uint8Array> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(new Error('nothing has arrived for too long')), quietMs);
  const signal = AbortSignal.any([quiet.signal, AbortSignal.timeout(Math.ceil(quietMs + bytes / bytesPerMs))]);
  let received = 0;
  try {
    const { body } = await get(url, signal);
    for await (const chunk of body ?? []) {
      timer.refresh();
      received += chunk.length;
      if (received > bytes) throw new ArchiveError(`${url}: has more than ${bytes} bytes`);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    throw new ArchiveError(`${url}: the download broke off after ${received} of ${bytes} bytes; run it again`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Follows redirects only to the same host: others have not been named by whoever runs this. */
async function get(url: string, signal: AbortSignal, redirects = MAX_REDIRECTS): Promise<Response> {
  const response = await fetch(url, { signal, redirect: 'manual' }).catch((cause: unknown) => {
    throw new ArchiveError(`${url}: does not answer`, { cause });
  });
  const location = response.headers.get('Location');
  if (response.status >= 300 && location !== null) {
    const next = URL.parse(location, url);
    if (next?.origin !== new URL(url).origin)
      throw new ArchiveError(`${url}: redirects to another host, ${next?.origin ?? 'which is none'}`);
    if (redirects === 0) throw new ArchiveError(`${url}: redirects too often`);
    await response.body?.cancel();
    return get(next.href, signal, redirects - 1);
  }
  if (!response.ok) throw new ArchiveError(`${url}: answers with status ${response.status}`);
  return response;
}
