import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { type CountingProxy, startCountingProxy } from '../../infra/bench/counting-proxy.ts';
import { startMeter } from '../../infra/bench/meter.ts';
import { proxyEvent } from '../../infra/local/event.ts';
import { openApiDocument } from '../../infra/site/openapi.ts';
import { EXPENSIVE_PATHS } from '../../infra/stack/limits.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { VALUES } from '../../lib/history/point-values.ts';
import { listBoundaries } from '../../lib/history/series.ts';
import { DAY } from '../../lib/values/durations.ts';
import { WAD } from '../../lib/values/wad.ts';
import { clockAt } from '../support/clock.ts';
import { lambdaContext } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

/**
 * The load that anonymous clients can cause depends on how much data there is, not on how many requests they send; where
 * it cannot, the edge limits them more (infra/stack/limits.ts).
 */

/** The most that requests to an endpoint take. Units are those of DynamoDB, reads and writes together. */
interface RequestCost {
  /** Units for a request that differs from all others. By default none: all requests share what is read. */
  units?: number;
  /** JSON-RPC calls for it, if its addresses have nothing. */
  calls?: number;
  /** Chain requests and units of the largest request that the OpenAPI document allows. */
  largest?: { chain: number; units: number };
}

/** The largest request to an endpoint that has no own budget below. */
const CHEAP = { chain: 8, units: 50 };
/** 1,000 points of a day, of which a unit reads 14. */
const FULL_PAGE = { largest: { chain: 0, units: 75 } };
/** The doubts about the ledger, a unit; at most 100 rows and the next one, for each type of event of an address. */
const EVENTS = { units: 2, largest: { chain: 0, units: 20 } };

/** Answered from tables: what other requests have read of the chain is in the cache. */
const FROM_TABLES = { largest: { chain: 0, units: 50 } };

/** The endpoints whose cost depends on the request, which the edge limits more. */
const REQUEST_COSTS: Readonly<Record<string, RequestCost>> = {
  // For each of fifty addresses: its rows, and two calls, which share requests.
  accounts: { units: 10, calls: 2, largest: { chain: 16, units: 50 } },
  'accounts/address': { units: 3, calls: 2 },
  'accounts/address-calendar': { units: 3, calls: 2 },
  'accounts/address-income': { units: 4, ...FROM_TABLES },
  // Of ten addresses.
  'accounts/income': { units: 12, largest: { chain: 0, units: 50 } },
  'accounts/calendar': { units: 6, calls: 2 },
  activity: { units: 2, largest: { chain: 0, units: 170 } },
  contracts: {},
  // The rates of all days, once.
  'gg-avax/address': { units: 4, calls: 2, largest: { chain: 8, units: 110 } },
  'gg-avax/address-activity': EVENTS,
  // The doubts about the ledger, a unit.
  'gg-avax/address-rewards': { units: 2, ...FROM_TABLES },
  'minipools/node-id-activity': EVENTS,
  // A row for each of its hours or days, half a unit.
  'prices/at': { units: 1, largest: { chain: 0, units: 50 } },
  'rewards/address': { units: 2, ...FROM_TABLES },
  'rewards/address-cycles': { units: 2, ...FROM_TABLES },
  'stakers/address-activity': EVENTS,
  // An amount is cached: read, leased and written.
  'withdrawals/estimate': { units: 3, calls: 2 },
};
const HISTORIES: Readonly<Record<string, RequestCost>> = Object.fromEntries(
  Object.keys(ENDPOINTS).flatMap((file) => (/(^|[/-])history$/.test(file) ? [[file, FULL_PAGE]] : [])),
);

/** More than any number of calls or requests below that all of them share. */
const REQUESTS = 125;
/** Number of requests that are sent at the same time. */
const AT_ONCE = 25;
/**
 * The limits for reading the parts of an answer once each: datasets, the registry's addresses, pools, up to four
 * rounds of headers in the search for an old block, and two at that block: the addresses of then, and their values.
 */
const CHAIN_REQUESTS = 7;
/** Most of them are the headers of that search. */
const CHAIN_CALLS = 100;
/** Units for what all requests share. Most of them are the rates of all days. */
const SHARED_UNITS = 120;
const ADDRESSES = 23;
/** As much history as mainnet has: days since June 2023, and the hours that are recorded by default. */
const DAYS = 1_280;
const HOURLY_DAYS = 90;

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any;
const document: Json = openApiDocument();

tablesForAllTests();
let chain: RpcProvider;
let index: CountingProxy;
let table: Awaited<ReturnType<typeof startMeter>>;
let env: Record<string, string>;
/** Time stands still, so that nothing is read again only because this machine is slow. */
const now = Date.now();
const seconds = Math.floor(now / 1_000);
const container = () => startOnDevnet(env, undefined, { clock: clockAt(() => now) });

// All endpoints share the tables, so each finds there what others have read.
beforeAll(async () => {
  await recordLedger();
  await fillHistory();
  chain = await proxyTo(process.env.DEVNET_RPC_URL as string);
  index = await startCountingProxy(new URL(process.env.DEVNET_DATA_API_URL as string).origin);
  table = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  env = {
    RPC_URLS: chain.url,
    DATA_API_URL: (process.env.DEVNET_DATA_API_URL as string).replace(/^https?:\/\/[^/]+/, index.url),
  };
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url;
});
afterAll(async () => {
  for (const { stop } of [chain, index, table]) await stop();
});

async function fillHistory(): Promise<void> {
  const { history } = container().opened;
  const values = Object.fromEntries(Object.keys(VALUES).map((name) => [name, WAD + 1n]));
  const block = { number: 1, timestamp: 1 };
  for (const [interval, days] of [
    ['1d', DAYS],
    ['1h', HOURLY_DAYS],
  ] as const) {
    const boundaries = listBoundaries(interval, seconds - days * DAY, seconds);
    await history.writeAll(
      interval,
      boundaries.map((timestamp) => ({ timestamp, block, values })),
    );
  }
}

/** The units that have been used since this was called last. */
function unitsTaken(): number {
  const { reads, writes } = table.take();
  return reads + writes;
}

/** One that names many addresses is as much work as many requests. */
const namesMany = ({ path }: Endpoint) => ['/accounts', '/accounts/calendar.ics', '/accounts/income'].includes(path);
const mostAddresses = ({ path }: Endpoint): number =>
  document.paths[path].get.parameters.find(({ name }: Json) => name === 'address').schema.maxItems;
const weightOf = (endpoint: Endpoint) => (namesMany(endpoint) ? AT_ONCE : 1);

/** Sends many requests at once, and returns the statuses of the responses. */
async function askAll(endpoint: Endpoint, requests: number, urlOf: (round: number) => string): Promise<Set<number>> {
  const handler = createHandler(endpoint, container());
  const statuses = new Set<number>();
  const ask = async (round: number) => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url: urlOf(round), headers: {} });
    statuses.add((await handler(event, lambdaContext())).statusCode);
  };
  const atOnce = AT_ONCE / weightOf(endpoint);
  for (let first = 0; first < requests / weightOf(endpoint); first += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(first + index)));
  return statuses;
}

/** A request that differs from all others: made-up entities, shifted ranges and pages, parameters of link trackers. */
function variant(endpoint: Endpoint, round: number): string {
  const { path, input } = endpoint;
  const bytes = (index = 0) => createHash('sha256').update(`${path}${round}/${index}`).digest('hex').slice(0, 40);
  const made: Record<string, string> = {
    address: `0x${bytes()}`,
    nodeID: `0x${bytes()}`,
    dex: 'tj',
    name: 'total_supply',
  };
  const query: Record<string, string> = {
    timestamp: String(1_788_000_000 + round),
    limit: String(1 + (round % 7)),
    offset: String(round),
    from: String(1_788_000_000 + round),
    to: String(1_788_090_000 + round),
    ggpStaked: `100.${round}`,
    avaxStaked: `100.${round}`,
    ggAvax: `10.${round}`,
  };
  const inPath = path.includes('{address}');
  const addresses = Array.from(
    { length: namesMany(endpoint) ? Math.min(ADDRESSES, mostAddresses(endpoint)) : 1 },
    (_, index) => `0x${bytes(index)}`,
  );
  const known = Object.entries({ ...query, ...(!inPath && { address: addresses.join() }) }).filter(
    ([name]) => name in input.shape,
  );
  const search = new URLSearchParams([...known, ['_', String(round)]]);
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? `made-up-${round}`)}?${search}`;
}

test('the edge limits every endpoint whose cost depends on the request', () => {
  const paths = Object.keys(REQUEST_COSTS).map((file) => ENDPOINTS[file]?.path);
  expect(EXPENSIVE_PATHS).toEqual(expect.arrayContaining(paths));
});

test.each(Object.entries(ENDPOINTS))(
  `%s reads its data once for ${REQUESTS} different requests`,
  async (file, endpoint) => {
    index.requests = 0;
    unitsTaken();
    chain.requests.length = 0;
    const statuses = await askAll(endpoint, REQUESTS, (round) => variant(endpoint, round));
    // A variant that is refused costs nothing, and proves nothing.
    expect([...statuses].filter((status) => status === 400 || status >= 500)).toEqual([]);
    const requests = REQUESTS / weightOf(endpoint);
    const { calls = 0, units = 0 } = REQUEST_COSTS[file] ?? {};
    expect(chain.requests.length).toBeLessThanOrEqual(CHAIN_REQUESTS + calls * requests);
    expect(chain.requests.flat().length).toBeLessThanOrEqual(CHAIN_CALLS + calls * requests);
    expect(index.requests).toBeLessThanOrEqual(1);
    expect(unitsTaken()).toBeLessThanOrEqual(SHARED_UNITS + units * requests);
  },
);

/** Values for a list parameter that is full. */
function fullList({ items, maxItems }: Json): string {
  if (items.enum) return items.enum.join();
  const places = Array.from({ length: maxItems }, (_, index) => index);
  // Days apart, so that no two times share what is read for them.
  if (items.type === 'integer') return places.map((index) => seconds - 3 * index * DAY).join();
  return places.map((index) => `0x${String(index + 1).padStart(40, '0')}`).join();
}

/** The largest request that the document allows: full lists, every word, the longest range, the largest page. */
function largestRequest({ path, exampleRequest }: Endpoint): string {
  const [asked, example] = exampleRequest.split('?');
  const query = new URLSearchParams(example);
  for (const { name, in: place, schema: own } of document.paths[path].get.parameters) {
    const schema = own.$ref ? document.components.schemas[own.$ref.split('/').at(-1)] : own;
    const items = schema.items?.$ref && document.components.schemas[schema.items.$ref.split('/').at(-1)];
    if (place === 'path') continue;
    if (schema.type === 'array') query.set(name, fullList({ ...schema, ...(items && { items }) }));
    else if (name === 'limit') query.set(name, String(schema.maximum));
    // The first page of a history is full if it begins with the first point.
    else if (name === 'from') query.set(name, path.endsWith('/history') ? String(seconds - DAYS * DAY) : '0');
  }
  return `${asked}?${query}`;
}

test.each(Object.entries(ENDPOINTS))(
  'the largest request to %s is within its budget, and costs nothing when it is repeated',
  async (file, endpoint) => {
    const ask = async (runtime: TestRuntime, url: string) => {
      chain.requests.length = 0;
      unitsTaken();
      const event = proxyEvent(endpoint.path, { method: 'GET', url, headers: {} });
      const { statusCode } = await createHandler(endpoint, runtime)(event, lambdaContext());
      expect([url, statusCode]).toEqual([url, 200]);
      return { chain: chain.requests.length, units: unitsTaken() };
    };
    const runtime = container();
    const url = largestRequest(endpoint);
    const { largest: budget = CHEAP } = { ...HISTORIES, ...REQUEST_COSTS }[file] ?? {};
    const cost = await ask(runtime, url);
    expect(cost.chain).toBeLessThanOrEqual(budget.chain);
    expect(cost.units).toBeLessThanOrEqual(budget.units);
    expect(await ask(runtime, url)).toEqual({ chain: 0, units: 0 });
  },
);

/** For the ledger's coverage, and the rows and the dust of one answer. */
const UNITS_OF_A_RANGE = 15;
const LEDGER = Object.entries(ENDPOINTS).filter(
  ([, { reads = [], input }]) => reads.includes('ledger') && 'to' in input.shape,
);

test.each(LEDGER)('%s, to or from a day in the future, reads the rows of one answer only', async (_, endpoint) => {
  const address = `0x${'12'.repeat(20)}`;
  const path = endpoint.path.replace(/\{\w+\}/, address);
  const named = namesMany(endpoint) ? `&address=${address}` : '';
  for (const name of ['to', 'from']) {
    unitsTaken();
    const urlOf = (round: number) => `${path}?${name}=${seconds + (1 + round) * DAY}${named}`;
    expect([...(await askAll(endpoint, 2 * AT_ONCE, urlOf))]).toEqual([200]);
    expect(unitsTaken()).toBeLessThanOrEqual(UNITS_OF_A_RANGE);
  }
});
