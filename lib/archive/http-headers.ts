/** The HTTP headers with which the files of archives are served. */

import { extname } from 'node:path';

const CONTENT_TYPES: Record<string, string> = {
  '.parquet': 'application/vnd.apache.parquet',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.cff': 'application/yaml',
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.zip': 'application/zip',
  '.sha256': 'text/plain; charset=utf-8',
};

/** The `Cache-Control` of a file of an archive, which never changes. */
export const ARCHIVE_CACHE = 'public, max-age=31536000, immutable';

/** The `Content-Type` of a file of an archive. */
export function contentType(name: string): string {
  return CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
}
