/** Headers of a service with a known last day (`ENDS_ON=2026-12-31`). */

/** The end of the protocol's operations, unix seconds (Hypha's announcement of July 2026). */
const DEPRECATED_AT = Date.UTC(2026, 7, 15) / 1_000;

/**
 * `Sunset` (RFC 8594), the end of that day in UTC, `Deprecation` (RFC 9745), and where to find what remains; none without
 * a day. `base` is the path of the API's root, without a slash at the end.
 */
export function sunsetHeaders(endsOn: string | undefined, base = ''): Record<string, string> {
  if (!endsOn) return {};
  const end = Date.parse(`${endsOn}T23:59:59Z`);
  return {
    Sunset: new Date(end).toUTCString(),
    Deprecation: `@${Math.min(DEPRECATED_AT, Math.floor(end / 1_000))}`,
    Link: `<${base}/docs/guide>; rel="sunset"`,
  };
}

/** {@link sunsetHeaders} of an answer with `headers`, whose own links stay. */
export function endHeaders(
  headers: Record<string, unknown>,
  endsOn: string | undefined,
  base: string,
): Record<string, string> {
  const { Link: sunset, ...end } = sunsetHeaders(endsOn, base);
  const links = [headers.Link, sunset].filter(Boolean);
  return { ...end, ...(links.length > 0 && { Link: links.join(', ') }) };
}
