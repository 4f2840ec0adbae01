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

  request.headers.accept = { value: liked(request.headers.accept ? request.headers.accept.value : '') };

  const query = {};
  PARAMETERS.forEach((name) => {
    if (request.querystring[name]) query[name] = request.querystring[name];
  });
  request.querystring = query;

  request.uri = path;
  return request;
}

/** Which of the three the API would answer: CSV as in lib/http/csv.ts, a page to who names one, or else JSON. */
function liked(accept) {
  const qualities = {};
  accept.split(',').forEach((range) => {
    const parts = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parts.filter((part) => part.startsWith('q='))[0];
    qualities[parts[0]] = quality ? Number(quality.slice(2)) : 1;
  });
  const csv = qualities['text/csv'] || 0;
  const json = qualities['application/json'];
  const any = qualities[qualities['application/*'] === undefined ? '*/*' : 'application/*'] || 0;
  if (json === undefined ? csv > 0 && csv >= any : csv > json) return 'text/csv';
  return qualities['text/html'] === undefined ? 'application/json' : 'text/html';
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
