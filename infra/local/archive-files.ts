/** The files of archives, as CloudFront serves them from a bucket: whole, or a range of bytes. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SECURITY_HEADERS } from '../../lib/api/http/response.ts';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import { MANIFEST } from '../../lib/archive/manifest.ts';
import type { Archive } from '../../lib/archive/read-kind.ts';

/** The archives by their day. */
export type ServedArchives = ReadonlyMap<string, Archive>;

const PATH = /^\/archive\/([\w-]+)\/([\w.-]+)$/;
const CONTENT_TYPES: Record<string, string> = {
  '.parquet': 'application/vnd.apache.parquet',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.cff': 'application/yaml',
};
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/** Files of an archive never change. */
export const ARCHIVE_CACHE = 'public, max-age=31536000, immutable';

const FOR_EVERYBODY = {
  'Access-Control-Allow-Origin': '*',
  ...SECURITY_HEADERS,
  ...sunsetHeaders(process.env.ENDS_ON),
};

/** The `Content-Type` of a file of an archive. */
export function contentType(name: string): string {
  return CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
}

/**
 * Answers a request for a file that an archive's manifest names, or for the manifest. False if it is not for one. Rejects if the file
 * cannot be read.
 */
export async function sendArchiveFile(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  archives: ServedArchives,
): Promise<boolean> {
  const [, day = '', name = ''] = PATH.exec(url.split('?')[0] as string) ?? [];
  const archive = archives.get(day);
  if (!archive || !isFileOf(archive, name) || (method !== 'GET' && method !== 'HEAD')) return false;
  // No file of an archive is a link: what one leads to is not for everybody.
  const file = await open(join(archive.folder, name), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await sendFile(file, name, headers.range, response);
  } finally {
    await file.close();
  }
  return true;
}

function isFileOf({ manifest }: Archive, name: string): boolean {
  return name === MANIFEST || manifest.files.some((file) => file.name === name);
}

async function sendFile(file: FileHandle, name: string, asked: string | undefined, response: ServerResponse) {
  const { size } = await file.stat();
  const range = rangeIn(asked, size);
  if (range && range.start >= range.end) {
    response.writeHead(416, { ...FOR_EVERYBODY, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size };
  response.writeHead(range ? 206 : 200, {
    ...FOR_EVERYBODY,
    'Content-Type': contentType(name),
    'Content-Length': end - start,
    'Accept-Ranges': 'bytes',
    'Cache-Control': ARCHIVE_CACHE,
    ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (start === end || response.req.method === 'HEAD') response.end();
  else await pipeline(file.createReadStream({ start, end: end - 1, autoClose: false }), response);
}

/** The bytes that `Range` asks for, without `end`: `bytes=0-99`, `bytes=100-` or the last ones, `bytes=-100`. None are empty. */
function rangeIn(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const match = RANGE.exec(header ?? '');
  if (!match) return undefined;
  const [, from, to, last] = match;
  if (last !== undefined) return { start: Math.max(0, size - Number(last)), end: size };
  const [start, end] = [Number(from), to ? Number(to) + 1 : size];
  // A range that ends before it begins is none.
  return to && end <= start ? undefined : { start, end: Math.min(end, size) };
}
