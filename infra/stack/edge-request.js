/**
 * Runs for every request before CloudFront looks into its cache. It is a CloudFront Function, whose runtime has no
 * modules, no destructuring and no `for-of` loops. infra/stack/edge-function.ts prepends the constants TRACKERS, PAGES,
 * PREFLIGHT, CATALOG and NOT_ALLOWED.
 *
 * Requests with the same answer get the same cache key: addresses are in lower case, parameters of link trackers are dropped,
 * the others sorted, and Accept is reduced to one type. The API refuses unknown parameters.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return PREFLIGHT;
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(event.context.requestId);

  if (request.method === 'HEAD' && request.uri === CATALOG.path) return CATALOG.response;

  // CloudFront has already chosen the origin by the original path, and a trailing slash would break relative links.
  const path = lowerCase(request.uri.replace(/(.)\/$/, '$1'));
  if (request.uri !== path && PAGES.indexOf(path) >= 0) return redirect(path, request.querystring);

  request.headers.accept = { value: preferredType(request.headers.accept ? request.headers.accept.value : '', path) };

  const trackers = new RegExp(TRACKERS);
  const query = {};
  Object.keys(request.querystring)
    .sort()
    .forEach((name) => {
      if (trackers.test(name)) return;
      query[name] = request.querystring[name];
      [query[name]].concat(query[name].multiValue || []).forEach((one) => {
        one.value = lowerCase(one.value);
      });
    });
  request.querystring = query;

  request.uri = path;
  return request;
}

/**
 * The addresses of a path or a list in lower case, which costs the check of their checksum. A cursor, in which an address
 * follows a hyphen, stays as it is.
 */
function lowerCase(text) {
  return text.replace(/(^|\/|,|%2[Cc])0x[0-9a-fA-F]{40}/g, (address) => address.toLowerCase());
}

/**
 * The type that the API would prefer (see lib/api/http/negotiation.ts) if it had all of these; the first one is the default.
 * A calendar is JSON only for those who accept nothing else of it.
 */
function preferredType(accept, path) {
  const qualities = {};
  accept.split(',').forEach((range) => {
    const parts = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parts.filter((part) => part.startsWith('q='))[0];
    qualities[parts[0]] = quality ? Number(quality.slice(2)) : 1;
  });
  const isCalendar = path.endsWith('.ics');
  const takesCalendar = ['text/calendar', 'text/*', '*/*'].some((range) => qualities[range] > 0);
  if (isCalendar && takesCalendar) return 'text/calendar';
  const types = isCalendar
    ? ['text/calendar', 'application/json', 'text/csv']
    : ['application/json', 'text/csv', 'text/plain', 'text/html'];
  const ofDefault = qualities[types[0]];
  const range = types[0].replace(/\/.*/, '/*');
  const wildcard = qualities[qualities[range] === undefined ? '*/*' : range] || 0;
  const preferred = types.slice(1).filter((type) => {
    const quality = qualities[type] || 0;
    return ofDefault === undefined ? quality > 0 && quality >= wildcard : quality > ofDefault;
  })[0];
  return preferred || types[0];
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
