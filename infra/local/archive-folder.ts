/** Serves the files of an export, and the API's old paths from its answers. */

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join, sep } from 'node:path';
import { TRACKERS } from '../../lib/api/http/input.ts';
import { problemResponse, SECURITY_HEADERS } from '../../lib/api/http/response.ts';
import { SUMS } from '../../lib/archive/export-folder.ts';
import { ApiError, internalError } from '../../lib/runtime/errors.ts';
import type { LocalServer } from '../devnet/listen.ts';
import { PREFLIGHT_HEADERS } from '../stack/gateway-responses.ts';
import { serve } from './gateway.ts';
import { parsePort, unusable } from './system.ts';
import { StartError } from './terminal.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.ics': 'text/calendar; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.cff': 'application/yaml',
};
/** Browsers get a page for a missing file, programs an error. */
const FOR_ALL = { 'Access-Control-Allow-Origin': '*', Vary: 'Accept' };
const HEADERS = {
  ...SECURITY_HEADERS,
  ...FOR_ALL,
  // A copy may be replaced by a newer one in the same place.
  'Cache-Control': 'public, max-age=300',
};
const NOT_FOUND_PAGE = '404.html';

/** Starts a server of the export in a folder. Throws a {@link StartError} if there is none, or the port cannot be used. */
export async function serveArchive(folder: string, portText?: string): Promise<LocalServer> {
  const sums = join(folder, SUMS);
  if (!existsSync(sums))
    throw new StartError(`${folder}: has no ${SUMS}, so it is no export, or one that has not finished`);
  const lines = readFileSync(sums, 'utf8').trimEnd().split('\n');
  const names = new Set([SUMS, ...lines.map((line) => line.slice(66))]);
  const root = realpathSync(folder);
  const port = parsePort(portText);
  const toProblem = (error: unknown) => {
    const problem = problemResponse(error instanceof ApiError ? error : internalError(), randomUUID());
    return { ...problem, headers: { ...problem.headers, ...FOR_ALL } };
  };
  return serve(port, (request) => answer(root, names, request).catch(toProblem)).catch(unusable(port));
}

async function answer(root: string, names: ReadonlySet<string>, { method, headers, url = '/' }: IncomingMessage) {
  if (method === 'OPTIONS') return { status: 204, headers: { ...HEADERS, ...PREFLIGHT_HEADERS }, body: '' };
  if (method !== 'GET' && method !== 'HEAD')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An archive is read-only.', { headers: { Allow: 'GET,HEAD,OPTIONS' } });
  const { path, search, query } = parse(url);
  const name = findName(names, path);
  if (name?.endsWith('/index.html') && !path.endsWith('/') && !path.endsWith('.html'))
    return { status: 301, headers: { ...HEADERS, Location: `${path}/${search}` }, body: '' };
  if (!name && headers.accept?.includes('text/html') && names.has(NOT_FOUND_PAGE))
    return read(root, NOT_FOUND_PAGE, 404);
  if (!name) throw new ApiError('NOT_FOUND', 'The archive has nothing at this path.');
  // An answer to other parameters is not in the archive. Pages read theirs in the browser.
  const parameter = query.find((one) => !TRACKERS.test(one));
  if (parameter !== undefined && !name.endsWith('.html'))
    throw new ApiError('INVALID_REQUEST', `This is an archive: it takes no query parameters, such as ${parameter}.`);
  return read(root, name);
}

/** Throws INVALID_REQUEST if the URL of a request is not one. */
function parse(url: string) {
  try {
    const { pathname, search, searchParams } = new URL(url.replace(/^\/{2,}/, '/'), 'http://archive');
    return { path: decodeURIComponent(pathname), search, query: [...searchParams.keys()] };
  } catch {
    throw new ApiError('INVALID_REQUEST', 'The path is not a valid URL.');
  }
}

/** The file of a path: itself, a folder's page, or the answer of the API. Addresses may have any case. */
function findName(names: ReadonlySet<string>, path: string): string | undefined {
  const lowered = path.replace(/0x[0-9a-f]{40}/gi, (address) => address.toLowerCase());
  const bare = lowered.replace(/^\/|\/$/g, '');
  const candidates = [bare, bare ? `${bare}/index.html` : 'index.html', `api/${bare}.json`];
  return candidates.find((name) => names.has(name));
}

async function read(root: string, name: string, status = 200) {
  const path = await realpath(join(root, name));
  if (!path.startsWith(`${root}${sep}`)) throw new ApiError('NOT_FOUND', 'The archive has nothing at this path.');
  const type = CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
  return { status, headers: { ...HEADERS, 'Content-Type': type }, body: await readFile(path) };
}
