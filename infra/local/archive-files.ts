import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** The files of archives, as CloudFront serves them from a bucket: whole, or a range of bytes. */

/** The folder of each archive, by its day. */
export type ArchiveFolders = ReadonlyMap<string, string>;

const PATH = /^\/archive\/([\w-]+)\/([\w.-]+)$/;
const CONTENT_TYPES: Record<string, string> = {
  '.parquet': 'application/vnd.apache.parquet',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
};
const RANGE = /^bytes=(\d*)-(\d*)$/;

/** Files of an archive never change. */
export const ARCHIVE_CACHE = 'public, max-age=31536000, immutable';

/** The `Content-Type` of a file of an archive. */
export function contentType(name: string): string {
  return CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
}

/** Answers a request for a file of an archive. False if it is not for one. */
export function sendArchiveFile(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  folders: ArchiveFolders,
): boolean {
  const [, day = '', name = ''] = PATH.exec(url.split('?')[0] as string) ?? [];
  const folder = folders.get(day);
  if (folder === undefined) return false;
  const path = join(folder, name);
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile() || (method !== 'GET' && method !== 'HEAD')) return false;
  const range = rangeOf(headers.range, file.size);
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  response.writeHead(range ? 206 : 200, {
    'Content-Type': contentType(name),
    'Content-Length': end - start + 1,
    'Accept-Ranges': 'bytes',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': ARCHIVE_CACHE,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${file.size}` }),
  });
  if (method === 'HEAD') response.end();
  else createReadStream(path, { start, end }).pipe(response);
  return true;
}

/** The bytes that `Range` asks for, both included: `bytes=0-99`, `bytes=100-` or the last ones, `bytes=-100`. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = RANGE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end ? { start, end } : undefined;
}
