import { readFileSync } from 'node:fs';
import { TRACKERS } from '../../lib/api/http/input.ts';
import { EXPOSED_HEADERS, SECURITY_HEADERS } from '../../lib/api/http/response.ts';
import { PAGE_PATHS } from '../site/site.ts';
import { CATALOG_LINK, CATALOG_PATH } from '../site/well-known.ts';
import { PREFLIGHT_HEADERS, readOnlyResponse } from './gateway-responses.ts';

/** Two years. */
export const HSTS_SECONDS = 63_072_000;
const HSTS = `max-age=${HSTS_SECONDS}; includeSubDomains`;

/** The CORS headers that the API's functions send. */
const CORS = { ...PREFLIGHT_HEADERS, 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', ') };

/** The source of the function that CloudFront runs before its cache lookup: infra/stack/edge-request.js and its constants. */
export function edgeRequestCode(): string {
  const { status, headers, body } = readOnlyResponse('$requestId');
  const constants = {
    TRACKERS: TRACKERS.source,
    PAGES: PAGE_PATHS.map((path) => `/${path}`),
    PREFLIGHT: answer(204, 'No Content', CORS),
    CATALOG: { path: `/${CATALOG_PATH}`, response: answer(200, 'OK', { ...CATALOG_LINK, ...CORS }) },
    NOT_ALLOWED: { ...answer(status, 'Method Not Allowed', { ...headers, ...CORS }), body },
  };
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  return [...lines, readFileSync(new URL('./edge-request.js', import.meta.url), 'utf8')].join('\n');
}

function answer(statusCode: number, statusDescription: string, headers: Record<string, string>) {
  const sent = Object.entries({ 'Strict-Transport-Security': HSTS, ...SECURITY_HEADERS, ...headers });
  return {
    statusCode,
    statusDescription,
    headers: Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), { value }])),
  };
}
