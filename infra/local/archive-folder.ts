/** Serves the folder of an archive as any static host would, and the API's paths from its answers. */

import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { problemResponse } from '../../lib/api/http/response.ts';
import { ArchiveError } from '../../lib/archive/manifest.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { type LocalServer, listen } from '../devnet/listen.ts';
import { sendFile } from './archive-files.ts';
import { StartError } from './start-error.ts';
import { DEFAULT_PORT, parsePort, unusable } from './system.ts';

/** A copy may be replaced by a newer one in the same place. */
const CACHE = 'public, max-age=300';

/** Starts a server of the website in a folder. Throws a {@link StartError} if there is none, or the port cannot be used. */
export async function serveArchive(folder: string, portText = DEFAULT_PORT): Promise<LocalServer> {
  requireWebsite(folder);
  const root = realpathSync(folder);
  const port = parsePort(portText);
  const server = createServer((request, response) => {
    answer(root, request, response).catch((error) => sendProblem(response, toApiError(error)));
  });
  return listen(server, port).catch(unusable(port));
}

function requireWebsite(folder: string): void {
  try {
    const { block } = readManifest(folder);
    if (!existsSync(join(folder, 'index.html')))
      throw new ArchiveError(`${folder}: has no website, because the state of block ${block.number} could not be read`);
  } catch (error) {
    throw error instanceof ArchiveError ? new StartError(error.message) : error;
  }
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://archive');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ApiError('METHOD_NOT_ALLOWED', 'An archive is read-only.', { headers: { Allow: 'GET,HEAD' } });
  if (search) throw new ApiError('INVALID_REQUEST', 'This is an archive: it takes no query parameters.');
  const file = findFile(root, decodeURIComponent(pathname));
  if (!file) throw new ApiError('NOT_FOUND', `The archive has nothing at ${pathname}.`);
  await sendFile(file, request, response, CACHE);
}

/** The file of a path: itself, a folder's page, or the answer of the API. Undefined if it is not in the folder. */
function findFile(root: string, path: string): string | undefined {
  const lowered = path.replace(/0x[0-9a-f]{40}/gi, (address) => address.toLowerCase());
  const candidates = [join(root, path), join(root, path, 'index.html'), join(root, 'api', `${lowered}.json`)];
  return candidates.find((file) => {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    return realpathSync(file).startsWith(`${root}${sep}`);
  });
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError) return new ApiError('INVALID_REQUEST', 'The path is not percent-encoded correctly.');
  return new ApiError('INTERNAL', 'The file could not be read.', { cause: error });
}

function sendProblem(response: ServerResponse, error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = problemResponse(error, randomUUID());
  response.writeHead(status, { ...headers, 'Access-Control-Allow-Origin': '*' }).end(body);
}
