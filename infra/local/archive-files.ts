/** The files of archives, as CloudFront serves them from a bucket: whole, or a range of bytes. */

import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SECURITY_HEADERS } from '../../lib/api/http/response.ts';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import { bundleName } from '../../lib/archive/bundle-name.ts';
import { ARCHIVE_CACHE, contentType } from '../../lib/archive/http-headers.ts';
import { MANIFEST } from '../../lib/archive/manifest.ts';
import type { Archive } from '../../lib/archive/read-table.ts';

/** The archives by their day. */
export type ServedArchives = ReadonlyMap<string, Archive>;

const PATH = /^\/archive\/([\w-]+)\/([\w.-]+)$/;
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

const FOR_EVERYBODY = {
  'Access-Control-Allow-Origin': '*',
  ...SECURITY_HEADERS,
  ...sunsetHeaders(process.env.ENDS_ON),
};

/**
 * Answers a request for a file that an archive's manifest names, for the manifest, or for the bundle. False if it is not for one.
 * Rejects if the file cannot be read.
 */
export async function sendArchiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  archives: ServedArchives,
): Promise<boolean> {
  const { method = 'GET', url = '/' } = request;
  const [, day = '', name = ''] = PATH.exec(url.split('?')[0] as string) ?? [];
  const archive = archives.get(day);
  if (!archive || !isFileOf(archive, name) || (method !== 'GET' && method !== 'HEAD')) return false;
  await sendFile(join(archive.folder, name), request, response, ARCHIVE_CACHE);
  return true;
}

function isFileOf({ manifest }: Archive, name: string): boolean {
  return [MANIFEST, bundleName(manifest.day), ...manifest.files.map((file) => file.name)].includes(name);
}

/** Sends a file, or the requested range of its bytes. */
export async function sendFile(path: string, { headers }: IncomingMessage, response: ServerResponse, cache: string) {
  const { size } = statSync(path);
  const range = rangeIn(headers.range, size);
  if (range && range.start >= range.end) {
    response.writeHead(416, { ...FOR_EVERYBODY, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size };
  response.writeHead(range ? 206 : 200, {
    ...FOR_EVERYBODY,
    'Content-Type': contentType(path),
    'Content-Length': end - start,
    'Accept-Ranges': 'bytes',
    'Cache-Control': cache,
    ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (start === end || response.req.method === 'HEAD') response.end();
  else await pipeline(createReadStream(path, { start, end: end - 1 }), response);
}

/**
 * The range in the header `Range`, without the byte at `end`: `bytes=0-99`, `bytes=100-`, or the last bytes: `bytes=-100`.
 * Undefined without a valid range.
 */
function rangeIn(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = RANGE.exec(header ?? '');
  if (!match) return undefined;
  const [, from, to, last] = match;
  if (last !== undefined) return { start: Math.max(0, size - Number(last)), end: size };
  const [start, end] = [Number(from), to ? Number(to) + 1 : size];
  // A range that ends before it begins is invalid.
  return to && end <= start ? undefined : { start, end: Math.min(end, size) };
}
