/**
 * What CloudFront does with each request before it looks into its cache (a CloudFront Function, whose runtime has no modules, no
 * destructuring and no `for … of`). infra/edge.ts writes the constants PARAMETERS, PAGES, PREFLIGHT and NOT_ALLOWED in front of it.
 *
 * One answer has one key: of the query only parameters that some endpoint knows are left, in order; Accept is one of three.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return PREFLIGHT;
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(event.context.requestId);

  // CloudFront has already chosen where a path leads by now, and a page's links are relative to its own path.
  const path = request.uri.replace(/(.)\/$/, '$1');
  if (path !== request.uri && PAGES.indexOf(path) >= 0) return redirect(path, request.querystring);

  const accept = request.headers.accept ? request.headers.accept.value : '';
  const named = accept.match(/\b(application\/json|text\/html|text\/csv)\b/);
  request.headers.accept = { value: named ? named[0] : 'application/json' };

  const query = {};
  PARAMETERS.forEach((name) => {
    if (request.querystring[name]) query[name] = request.querystring[name];
  });
  request.querystring = query;

  request.uri = path;
  return request;
}

function redirect(path, querystring) {
  const query = Object.keys(querystring).map((name) => `${name}=${querystring[name].value}`);
  const location = query.length > 0 ? `${path}?${query.join('&')}` : path;
  return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value: location } } };
}

function notAllowed(requestId) {
  const headers = Object.assign({}, NOT_ALLOWED.headers, { 'x-request-id': { value: requestId } });
  const body = NOT_ALLOWED.body.replace('$requestId', requestId);
  return Object.assign({}, NOT_ALLOWED, { headers: headers, body: body });
}
