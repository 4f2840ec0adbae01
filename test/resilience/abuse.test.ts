import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { type CountingProxy, startCountingProxy } from '../../infra/bench/counting-proxy.ts';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../../infra/local/event.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** What an anonymous caller can make the service do is bounded by what there is to know, and not by how often they ask. */

const REQUESTS = 200;
/** As many come at once. */
const AT_ONCE = 25;
/** For the parts that an answer is made from: datasets, the registry's addresses, pools, each read once. */
const CHAIN_REQUESTS = 5;
const TABLE_REQUESTS = 15;
/**
 * Table requests of an answer that is of one address, node or range, whatever it is: a query for the rows of that; of a position its
 * place in the cache as well (looked for, leased, kept, and one more where a busy machine makes the table slow).
 */
const ROWS: Record<string, number> = {
  activity: 1,
  'gg-avax/address': 5,
  'gg-avax/address-rewards': 1,
  'minipools/node-id-activity': 1,
  'rewards/address': 1,
  'stakers/address-activity': 1,
  'validators/node-id-history': 1,
};
/** A balance is asked of the contract, each in one request. */
const ASKED_OF_THE_CHAIN = ['gg-avax/address'];

let database: LocalDynamoDB;
let chain: CountingProxy;
let index: CountingProxy;
let table: CountingProxy;
let env: Record<string, string>;

// One system for all: what an endpoint finds in the table is what another has read once.
beforeAll(async () => {
  database = await startTables();
  chain = await startCountingProxy(process.env.DEVNET_RPC_URL as string);
  index = await startCountingProxy(new URL(process.env.DEVNET_DATA_API_URL as string).origin);
  table = await startCountingProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  env = {
    RPC_URLS: chain.url,
    DATA_API_URL: (process.env.DEVNET_DATA_API_URL as string).replace(/^https?:\/\/[^/]+/, index.url),
  };
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url;
  await recordLedger();
  // Nothing has to be read again because this machine is slow.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterAll(async () => {
  jest.restoreAllMocks();
  for (const { stop } of [chain, index, table, database]) await stop();
});

/** What a handler answers to requests that come many at once. */
async function askAll(endpoint: Endpoint, urlOf: (round: number) => string): Promise<Set<number>> {
  const handler = createHandler(endpoint, startOnDevnet(env));
  const statuses = new Set<number>();
  const ask = async (round: number) => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url: urlOf(round), headers: {} });
    statuses.add((await handler(event, lambdaContext())).statusCode);
  };
  for (let first = 0; first < REQUESTS; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(first + index)));
  return statuses;
}

/** A request of somebody who wants each to be another one: made-up entities, shifted ranges, pages, parameters that nobody knows. */
function variant({ path, input }: Endpoint, round: number): string {
  const bytes = createHash('sha256').update(`${path}${round}`).digest('hex').slice(0, 40);
  const made: Record<string, string> = { address: `0x${bytes}`, nodeID: `0x${bytes}`, dex: 'tj' };
  const query: Record<string, string> = {
    limit: String(1 + (round % 7)),
    offset: String(round),
    from: String(1_788_000_000 + round),
    to: String(1_788_090_000 + round),
    ggpStaked: '100',
    avaxStaked: '1000',
    ggAvax: '10',
  };
  const known = Object.entries(query).filter(([name]) => name in input.shape);
  const search = new URLSearchParams([...known, [`x${round}`, String(round)]]);
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? `made-up-${round}`)}?${search}`;
}

describe.each(Object.entries(ENDPOINTS))('%s', (file, endpoint) => {
  test(`asked ${REQUESTS} different things, reads what there is once`, async () => {
    for (const counted of [chain, index, table]) counted.requests = 0;
    const statuses = await askAll(endpoint, (round) => variant(endpoint, round));
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(chain.requests).toBeLessThanOrEqual(CHAIN_REQUESTS + (ASKED_OF_THE_CHAIN.includes(file) ? REQUESTS : 0));
    expect(index.requests).toBeLessThanOrEqual(1);
    expect(table.requests).toBeLessThanOrEqual(TABLE_REQUESTS + (ROWS[file] ?? 0) * REQUESTS);
  });
});

/** For what has been searched, its first and newest entry, and the rows of one answer. */
const TABLE_REQUESTS_OF_A_RANGE = 8;
const DAY = 86_400;
const LEDGER = Object.entries(ENDPOINTS).filter(
  ([, { reads, input }]) => reads?.includes('ledger') && 'to' in input.shape,
);

describe.each(LEDGER)('%s, of times when there was no protocol', (_, endpoint) => {
  const tomorrow = Math.floor(Date.now() / 1_000) + DAY;
  test.each<[string, (round: number) => string]>([
    ['up to days of long ago', (round) => `to=${round * DAY + round}`],
    ['since days of long ago', (round) => `from=${round * DAY + round}`],
    ['up to days to come', (round) => `to=${tomorrow + round * DAY}`],
    ['since days to come', (round) => `from=${tomorrow + round * DAY}`],
  ])('%s, reads one answer', async (_, queryOf) => {
    table.requests = 0;
    const path = endpoint.path.replace(/\{\w+\}/, `0x${'12'.repeat(20)}`);
    expect([...(await askAll(endpoint, (round) => `${path}?${queryOf(round)}`))]).toEqual([200]);
    expect(table.requests).toBeLessThanOrEqual(TABLE_REQUESTS_OF_A_RANGE);
  });
});

/** The past of an exchange is tens of thousands of rows long. */
test('the rewards of one holder, asked for page by page and day by day, read their past once', async () => {
  table.requests = 0;
  const path = '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65/rewards';
  const urlOf = (round: number) => `${path}?limit=${1 + round}&from=${1_788_000_000 + round * DAY}`;
  expect([...(await askAll(ENDPOINTS['gg-avax/address-rewards'] as Endpoint, urlOf))]).toEqual([200]);
  expect(table.requests).toBeLessThanOrEqual(TABLE_REQUESTS_OF_A_RANGE);
});

test('exchanges that nobody knows cost the table nothing', async () => {
  table.requests = 0;
  const endpoint = ENDPOINTS['prices/dex'] as Endpoint;
  expect([...(await askAll(endpoint, (round) => `/prices/made-up-${round}`))]).toEqual([404]);
  expect(table.requests).toBe(0);
});
