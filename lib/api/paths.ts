import { ApiError } from '../runtime/errors.ts';

/** The route of all paths that no endpoint has. API Gateway passes them to the function of `/`. */
export const OTHER_PATHS = '/{proxy+}';

/** Shared caches may keep the 404 for a minute, so that not every request for an unknown path reaches the API. */
const NOT_FOUND_CACHE_CONTROL = 'public, max-age=0, s-maxage=60';

/** The names of the variables in a path: `/prices/{dex}/history` has `dex`. */
export function variablesOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** The error for a path that no endpoint has. */
export function noSuchPath(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such path. GET / lists all endpoints.', {
    headers: { 'Cache-Control': NOT_FOUND_CACHE_CONTROL },
  });
}
