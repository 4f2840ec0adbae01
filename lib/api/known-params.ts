/** Parameters that an endpoint does not take, but another one does: ignored, they would look as if they had worked. */

import type { ParameterError } from '../runtime/errors.ts';
// A generated file: importing functions/index.ts would bundle the code of all endpoints.
import names from './names.json' with { type: 'json' };
import { normalizeName, variablesOf } from './paths.ts';

const ADDRESS = ['address', 'owner'];
/** What clients may call a parameter that has another name here, without capitals and punctuation. */
const ALIASES: Record<string, readonly string[]> = {
  // Fields of this API's own bodies, by which they look like filters.
  requester: ADDRESS,
  stakeraddr: ADDRESS,
  // What wallets and block explorers call an address.
  account: ADDRESS,
  holder: ADDRESS,
  wallet: ADDRESS,
  // Each endpoint takes one of the two.
  address: ['owner'],
  owner: ['address'],
  node: ['nodeID'],
  // How other APIs (Lido's, subgraphs, block explorers, exchanges) page, sort and limit times; without a name: not to be had here.
  offset: ['cursor'],
  page: ['cursor'],
  skip: ['offset', 'cursor'],
  first: ['limit'],
  last: ['limit'],
  top: ['limit'],
  size: ['limit'],
  pagesize: ['limit'],
  perpage: ['limit'],
  sortby: ['sort'],
  orderby: ['sort'],
  orderdirection: ['order'],
  sortdirection: ['order'],
  since: ['from'],
  start: ['from'],
  starttime: ['from'],
  startdate: ['from'],
  starttimestamp: ['from'],
  fromtimestamp: ['from'],
  year: ['from'],
  until: ['to'],
  end: ['to'],
  endtime: ['to'],
  enddate: ['to'],
  endtimestamp: ['to'],
  totimestamp: ['to'],
  period: ['interval'],
  granularity: ['interval'],
  resolution: ['interval'],
  date: [],
  timestamp: [],
  tz: [],
  timezone: [],
  block: [],
  blocknumber: [],
  blocktag: [],
  startblock: [],
  endblock: [],
  fields: [],
  filter: [],
  where: [],
  search: [],
  onlyrewards: [],
  archiverate: [],
};

/** Every name that is known, as {@link normalizeName} reduces it. */
export const KNOWN: ReadonlySet<string> = new Set([...names.parameters.map(normalizeName), ...Object.keys(ALIASES)]);

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
    ...(ALIASES[letters] ?? []),
  ];
  const below = candidates.map((candidate) => `${path}/{${candidate}}`);
  return (
    candidates.find((candidate) => inQuery.includes(candidate)) ??
    candidates.flatMap((candidate) => (variablesOf(path).includes(candidate) ? `{${candidate}} in the path` : []))[0] ??
    names.paths.find((known) => below.includes(known))
  );
}
