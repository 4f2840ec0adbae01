/** Paths that are written differently from those of the endpoints. */

import { ApiError } from '../runtime/errors.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import names from './names.json' with { type: 'json' };

/** The route of all paths that no endpoint has. API Gateway gives them to the function of `/`. */
export const OTHER_PATHS = '/{proxy+}';

/** Shared caches may keep it for a minute, so that not every request for an unknown path reaches the API. */
const NOT_FOUND_CACHE_CONTROL = 'public, max-age=0, s-maxage=60';

/** Text without what is easily written differently: `nodeID`, `node_id` and `node-id` become `nodeid`. */
export function normalizeName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `/prices/{dex}/history` has the variable `dex`. */
export function variablesOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** Static paths first: `/metrics/APY` is meant to be `/metrics/apy`, and not the metric `APY`. */
const TEMPLATES = names.paths
  .map((path) => path.split('/'))
  .sort((a, b) => variablesOf(a.join()).length - variablesOf(b.join()).length);

/** The path of the endpoint whose letters a path has, with the values of the path: itself, unless it is written differently. */
function rightPath(path: string): string | undefined {
  const asked = path.replace(/(.)\/$/, '$1').split('/');
  const isVariable = (part: string) => part.startsWith('{');
  // Only the root's is empty, and punctuation alone is not the root.
  const isSame = (part: string, other: string) =>
    part === other || (part !== '' && normalizeName(part) === normalizeName(other));
  const template = TEMPLATES.find(
    (parts) =>
      parts.length === asked.length &&
      parts.every((part, index) => isVariable(part) || isSame(part, asked[index] ?? '')),
  );
  return template?.map((part, index) => (isVariable(part) ? asked[index] : part)).join('/');
}

/** Throws NOT_FOUND for a path without an endpoint, and for one whose letters are those of another endpoint. */
export function assertKnownPath(resource: string, path: string): void {
  if (path === resource) return;
  const right = rightPath(path);
  const isRight = right === undefined ? resource !== OTHER_PATHS : right === path.replace(/(.)\/$/, '$1');
  if (!isRight) throw noSuchPath(right);
}

/** The error for a path, and for one that is almost that of an endpoint. */
export function noSuchPath(right?: string): ApiError {
  const detail = right
    ? `There is no such path. Did you mean ${right}?`
    : 'There is no such path. GET / lists all endpoints.';
  return new ApiError('NOT_FOUND', detail, { headers: { 'Cache-Control': NOT_FOUND_CACHE_CONTROL } });
}
