import { SECURITY_HEADERS } from '../../lib/api/http/response.ts';

export interface SiteFile {
  /** Path of the request, without the leading slash: `dashboard`, `assets/dashboard-X3BZ4Q2M.js`. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const PAGE_CACHE = 'public, max-age=300';
export const FOR_ALL_ORIGINS = { 'Access-Control-Allow-Origin': '*' };

/** A file that is cached for as long as a page, unless the headers in `more` replace that. */
export function fileOf(
  path: string,
  type: string,
  content: string | Uint8Array,
  more: SiteFile['headers'] = {},
): SiteFile {
  const headers = { ...SECURITY_HEADERS, 'Content-Type': type, 'Cache-Control': PAGE_CACHE, ...more };
  return { path, headers, body: Buffer.from(content as string) };
}
