/** Content negotiation by the quality values in the `Accept…` headers (RFC 9110). */

/** The quality, 0 to 1, of each value that a header names. */
function parseQualities(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [value = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
      return [value, Number(quality)];
    }),
  );
}

/**
 * The name of the format that `Accept` prefers. The first format is the default, and the one that a wildcard means.
 * Another format must be named: with a higher quality than the default or, if the default is not named, with at least the
 * quality of the wildcard. A calendar is the answer to all who accept it: clients like axios name JSON beside a wildcard.
 */
export function preferredFormat(
  formats: Record<string, { contentType: string }>,
  { headers }: { headers: Record<string, string> },
): string {
  const qualities = parseQualities(headers.accept ?? '');
  const [[first, fallback] = ['', ''], ...others] = Object.entries(formats).map(
    ([name, { contentType }]) => [name, contentType.replace(/;.*/, '')] as const,
  );
  const fallbackQuality = qualities.get(fallback);
  const wildcard = qualities.get(fallback.replace(/\/.*/, '/*')) ?? qualities.get('*/*') ?? 0;
  if (fallback !== 'application/json' && (fallbackQuality ?? wildcard) > 0) return first;
  const isPreferred = (quality: number) =>
    fallbackQuality === undefined ? quality > 0 && quality >= wildcard : quality > fallbackQuality;
  const preferred = others.find(([, type]) => isPreferred(qualities.get(type) ?? 0));
  return preferred?.[0] ?? first;
}

/** True if an `Accept-Encoding` accepts gzip: by its own quality or, if gzip is not named, by that of `*`. */
export function acceptsGzip(accepted: string): boolean {
  const qualities = parseQualities(accepted);
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0;
}
