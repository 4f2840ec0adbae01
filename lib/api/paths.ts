import { ApiError } from '../runtime/errors.ts';
import { preferredFormat } from './http/negotiation.ts';
import { linkTo, type Request, type Response } from './http/response.ts';

/** The route of all paths that no endpoint has. API Gateway passes them to the function of `/`. */
export const OTHER_PATHS = '/{proxy+}';

/** Shared caches may keep the 404 for a minute, so that not every request for an unknown path reaches the API. */
const HEADERS = { 'Cache-Control': 'public, max-age=0, s-maxage=60', Vary: 'Accept' };

const FORMATS = { json: { contentType: 'application/json' }, html: { contentType: 'text/html' } };
const PAGES = { dashboard: 'Dashboard', docs: 'Reference of the API', 'docs/guide': 'Guide' };

/** The 404 for a path that no endpoint has. Browsers get a page with links; for others, throws the error NOT_FOUND. */
export function noSuchPath(request: Request): Response {
  if (preferredFormat(FORMATS, request) !== 'html')
    throw new ApiError('NOT_FOUND', 'There is no such path. GET / lists all endpoints.', { headers: HEADERS });
  const links = Object.entries(PAGES).map(([page, name]) => `<li><a href="${linkTo(page, request)}">${name}</a></li>`);
  return {
    status: 404,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      ...HEADERS,
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Page not found · GoGoPool / Hypha data</title>
<style>
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; color: light-dark(#16202b, #e8ecf1); background: light-dark(#f6f7f9, #101418) }
body { max-width: 54rem; margin: 0 auto; padding: 12px 24px }
a { color: light-dark(#0b5fae, #6db3f2) }
</style>
<main>
<p><strong>GoGoPool / Hypha data</strong></p>
<h1>Page not found</h1>
<p>Nothing is at this address.</p>
<ul>${links.join('')}</ul>
</main>
</html>
`,
  };
}
