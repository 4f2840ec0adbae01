/** Parameters that an endpoint does not take, but another one does: ignored, they would look as if they had worked. */

import type { ParameterError } from '../runtime/errors.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import names from './names.json' with { type: 'json' };
import { normalizeName, variablesOf } from './paths.ts';

/**
 * What clients may call a parameter that has another name here, without capitals and punctuation: fields of this API's own
 * bodies, what wallets and block explorers call an address, and how other APIs (Lido's, subgraphs, exchanges) page, sort and
 * limit times; under no name, what is not to be had here.
 */
const CALLED: readonly [meant: string, names: string][] = [
  ['address owner', 'requester stakeraddr account holder wallet'],
  // Each endpoint takes one of the two.
  ['owner', 'address'],
  ['address', 'owner'],
  ['nodeID', 'node'],
  ['offset cursor', 'skip'],
  ['cursor', 'offset page'],
  ['limit', 'first last top size pagesize perpage'],
  ['sort', 'sortby orderby'],
  ['order', 'orderdirection sortdirection'],
  ['from', 'since start starttime startdate starttimestamp fromtimestamp year'],
  ['to', 'until end endtime enddate endtimestamp totimestamp'],
  ['interval', 'period granularity resolution'],
  ['timestamp', 'timestamps time times date'],
  ['', 'tz timezone block blocknumber blocktag startblock endblock'],
  ['', 'fields filter where search onlyrewards archiverate'],
];

const ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  CALLED.flatMap(([meant, names]) => names.split(' ').map((name) => [name, meant.split(' ')] as const)),
);

/** Every name that is known, as {@link normalizeName} reduces it. */
export const KNOWN: ReadonlySet<string> = new Set([...names.parameters.map(normalizeName), ...ALIASES.keys()]);

/** A name that is longer is none of these, however it is punctuated. */
const MAX_NAME = 50;

/** One error for each of these query parameters that is known, but not to the endpoint with this path and these parameters. */
export function unsupportedParams(path: string, taken: readonly string[], given: readonly string[]): ParameterError[] {
  if (given.length === 0) return [];
  const inPath = variablesOf(path);
  const inQuery = taken.filter((name) => !inPath.includes(name));
  return given
    .filter((name) => name.length <= MAX_NAME && !inQuery.includes(name) && KNOWN.has(normalizeName(name)))
    .map((parameter) => {
      const takes = inQuery.length > 0 ? inQuery.join(', ') : 'none';
      const meant = meantBy(parameter, path, inQuery);
      const message = `is not a query parameter of ${path}, which takes ${takes}${meant ? `: use ${meant}` : ''}`;
      return { parameter, message };
    });
}

/** What a client probably means by a name: a parameter of this endpoint, or the endpoint below it with that in its path. */
function meantBy(name: string, path: string, inQuery: readonly string[]): string | undefined {
  const letters = normalizeName(name);
  const candidates = [
    ...names.parameters.filter((known) => normalizeName(known) === letters),
    ...(ALIASES.get(letters) ?? []),
  ];
  const below = candidates.map((candidate) => `${path}/{${candidate}}`);
  return (
    candidates.find((candidate) => inQuery.includes(candidate)) ??
    candidates.flatMap((candidate) => (variablesOf(path).includes(candidate) ? `{${candidate}} in the path` : []))[0] ??
    names.paths.find((known) => below.includes(known))
  );
}
