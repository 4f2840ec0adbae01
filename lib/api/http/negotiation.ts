/** What a client prefers, by the quality values in its `Accept…` headers (RFC 9110). */

import type { Request } from './message.ts';

/** The quality, 0 to 1, of each value that a header names. */
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [value = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
      return [value, Number(quality)];
    }),
  );
}

/**
 * Whether `Accept` prefers a type of text, such as `text/csv`, to JSON. It has to be named, since a wildcard means JSON here: with a
 * higher quality than JSON or, if JSON is not named, with at least that of the wildcard.
 */
export function prefers(type: `text/${string}`, { headers }: Request): boolean {
  const qualities = qualitiesOf(headers.accept ?? '');
  const text = qualities.get(type) ?? 0;
  const json = qualities.get('application/json');
  if (json !== undefined) return text > json;
  return text > 0 && text >= (qualities.get('application/*') ?? qualities.get('*/*') ?? 0);
}

/** Whether an `Accept-Encoding` accepts gzip: by its own quality or, if it is not named, by that of `*`. */
export function acceptsGzip(accepted: string): boolean {
  const qualities = qualitiesOf(accepted);
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0;
}
