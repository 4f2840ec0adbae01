/** The API's answers that are files of an archive: which, under which names, and how they are made. */

import { ENDPOINTS } from '../../functions/index.ts';
import { respond } from '../../lib/api/answer.ts';
import { METRIC_NAMES } from '../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Services } from '../../lib/api/services.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/defaults.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { Runtime } from '../../lib/runtime/lambda-runtime.ts';

/** A request, and the file that its answer is in. */
export interface ArchivedRequest {
  endpoint: Endpoint;
  params: Record<string, string>;
  query: Record<string, string>;
  /** Without `.json`. */
  file: string;
}

/** Path parameters that name neither an address nor a node. */
const VALUES: Record<string, readonly string[]> = {
  dex: EXCHANGES.map(({ code }) => code),
  name: METRIC_NAMES,
  key: Object.keys(DEFAULT_FLAGS.flags),
};
/** These describe the running service, or are for subscribers. */
const EXCLUDED: readonly string[] = ['/', '/health', '/archive', '/accounts/{address}/calendar.ics'];
const INTERVALS: Record<string, string> = { '1h': 'by hour', '1d': 'by day', '1mo': 'by month', '1y': 'by year' };
const PAGE = '1000';

const archived = Object.values(ENDPOINTS).filter(({ path }) => !EXCLUDED.includes(path));

/** The requests about the protocol, in these calendar years. */
export function protocolRequests(years: readonly number[]): ArchivedRequest[] {
  return archived.flatMap((endpoint) => {
    const name = findParameter(endpoint);
    if (name && !VALUES[name]) return [];
    const values = name ? VALUES[name] : undefined;
    const all: Record<string, string>[] = values?.map((value) => ({ [name as string]: value })) ?? [{}];
    return all.flatMap((params) => requestsTo(endpoint, params, years));
  });
}

/** The requests about an address or a node, to the endpoints whose paths begin with one of these names. */
export function subjectRequests(
  parameter: 'address' | 'nodeID',
  value: string,
  { names, years }: { names: readonly string[]; years: readonly number[] },
): ArchivedRequest[] {
  return archived
    .filter(
      (endpoint) => findParameter(endpoint) === parameter && names.includes(endpoint.path.split('/')[1] as string),
    )
    .flatMap((endpoint) => requestsTo(endpoint, { [parameter]: value }, years));
}

function findParameter({ path }: Endpoint): string | undefined {
  return /\{(\w+)\}/.exec(path)?.[1];
}

/** The plain request, if it needs no more parameters, and for long answers one request for each year. */
function requestsTo(endpoint: Endpoint, params: Record<string, string>, years: readonly number[]): ArchivedRequest[] {
  const { path, input } = endpoint;
  const file = path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
  const plain = input.safeParse(params).success ? [{ endpoint, params, query: {}, file }] : [];
  const { from, to, limit, interval } = input.shape;
  if (!(from && to && limit)) return plain;
  const intervals = interval ? Object.keys(INTERVALS).filter((one) => interval.safeParse(one).success) : [];
  // Sums of a person's days are in the data of the days.
  const wanted = path.includes('/history') ? intervals : [undefined];
  const yearly = wanted.flatMap((one) =>
    years.map((year) => ({
      ...{ endpoint, params },
      query: { ...toRange(year), limit: PAGE, ...(one && { interval: one }) },
      file: [file, one, year].filter(Boolean).join('/'),
    })),
  );
  return [...plain, ...yearly];
}

function toRange(year: number): { from: string; to: string } {
  const start = (of: number) => Date.UTC(of, 0) / 1_000;
  return { from: String(start(year)), to: String(start(year + 1) - 1) };
}

/** The text of an answer; undefined for a 404. Throws what the service would answer with another error. */
export async function answerTo(runtime: Runtime<Services>, { endpoint, params, query }: Omit<ArchivedRequest, 'file'>) {
  const search = new URLSearchParams(query).toString();
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
  const request = {
    ...{ method: 'GET', headers: { accept: 'application/json' }, params },
    path,
    url: search ? `${path}?${search}` : path,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
  };
  try {
    return String((await respond(endpoint, request, runtime)).body);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The title of an answer: `Activity of one GGP staker, 2024`. */
export function formatTitle({ endpoint, query: { interval, from } }: ArchivedRequest): string {
  const year = from && new Date(Number(from) * 1_000).getUTCFullYear();
  return [endpoint.summary, interval && INTERVALS[interval], year].filter(Boolean).join(', ');
}

/** The pages of an answer, each with its file; none if a yearly answer is empty. */
export async function* pagesOf(runtime: Runtime<Services>, request: ArchivedRequest) {
  const isYearly = request.query.from !== undefined;
  let cursor: string | undefined;
  for (let page = 1; page === 1 || cursor; page += 1) {
    const query = { ...request.query, ...(cursor && { cursor }) };
    const text = await answerTo(runtime, { ...request, query });
    if (text === undefined) return;
    const body = JSON.parse(text);
    if (isYearly && isEmpty(body)) return;
    yield { file: page === 1 ? request.file : `${request.file}-${page}`, page, text, body };
    cursor = isYearly ? body.nextCursor : undefined;
  }
}

function isEmpty(body: object): boolean {
  const lists = Object.values(body).filter(Array.isArray);
  return lists.every(({ length }) => length === 0);
}
