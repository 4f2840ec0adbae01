import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Interface, JsonRpcProvider } from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { DEVNET_CHAIN_ID } from '../../infra/devnet/devnet.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { type Dataset, readDataset } from '../../lib/cache/cache.ts';
import type { ChainContext } from '../../lib/chain/chain.ts';
import { decodeAggregate3 } from '../../lib/chain/snapshot.ts';
import type { LedgerContext } from '../../lib/ledger/ledger-store.ts';
import { marketDataset, readCachedPools } from '../../lib/prices/current.ts';
import { currentDataset, protocolDataset } from '../../lib/protocol/protocol.ts';
import { withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';
import { type Fork, forkDevnet } from '../functions/devnet.ts';
import { clockAt } from '../support/clock.ts';
import { decodeCalls, encodeResults } from '../support/contracts.ts';
import { send, sendTo } from '../support/events.ts';
import { proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { makeStale, tablesForAllTests } from '../support/tables.ts';

/** The number of requests per response, on a chain that mines a block after each request. */

tablesForAllTests();
const LISTS = new Interface([
  'function getStakerCount() view returns (uint256)',
  'function getMinipoolCount() view returns (uint256)',
  'function getAllPendingRequests() view returns (uint256[])',
  'function getRequestInfo(uint256) view returns (bytes)',
  'function getStakers(uint256, uint256) view returns (bytes[])',
]);
/** Answers of contracts whose lists are as long as Avalanche's; with the devnet's records, and empty ones. */
const LONG: Record<string, unknown[]> = {
  getStakerCount: [620],
  getStakers: [[]],
  getMinipoolCount: [600],
  getAllPendingRequests: [Array.from({ length: 975 }, (_, id) => id)],
};
let areListsLong = false;

/** The answer of an `aggregate3` with those of {@link LONG}. Every request has the data of the first one that exists. */
function lengthen(answer: unknown, data: string): unknown {
  const { result, ...others } = answer as { result: string };
  const calls = decodeCalls(data);
  const results = decodeAggregate3(result, calls.length).map((each, place) => {
    const name = LISTS.getFunction(calls[place]?.slice(0, 10) ?? '')?.name ?? '';
    // The devnet has no second page.
    if (LONG[name] && !(name === 'getStakers' && each.success))
      return { success: true, data: LISTS.encodeFunctionResult(name, LONG[name]) };
    if (name !== 'getRequestInfo') return each;
    if (each.success) requestInfo = each.data;
    return { success: true, data: requestInfo };
  });
  return { ...others, result: encodeResults(results) };
}

let requestInfo = '';
let devnet: Fork;
let chain: JsonRpcProvider;
let provider: RpcProvider;

beforeAll(async () => {
  devnet = await forkDevnet();
  chain = new JsonRpcProvider(devnet.url, DEVNET_CHAIN_ID, { staticNetwork: true, batchMaxCount: 1 });
  provider = await proxyTo(devnet.url, async (answers, requests) => {
    await chain.send('evm_mine', []);
    const isLong = (data: unknown) => areListsLong && String(data).startsWith('0x82ad56cb');
    const dataOf = (place: number) => (requests[place]?.params[0] as { data?: string })?.data as string;
    return answers.map((answer, place) => (isLong(dataOf(place)) ? lengthen(answer, dataOf(place)) : answer));
  });
});
afterAll(async () => {
  chain.destroy();
  await Promise.all([provider.stop(), devnet.stop()]);
});

/** A container whose clock stands still: what it has read stays fresh, however slow this machine is. */
function container() {
  const now = Date.now();
  return startOnDevnet({ RPC_URLS: provider.url }, undefined, { clock: clockAt(() => now) });
}

const address = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a';
const nodeID = 'NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G';
const query = { ggpStaked: '6000', avaxStaked: '1000' };
const READ_BEFORE = [currentDataset, withdrawalsDataset, protocolDataset, marketDataset('tj')] as const;

async function readBefore() {
  const { opened } = container();
  // Finds the pools, which are then shared for an hour.
  await readCachedPools(opened);
  for (const dataset of READ_BEFORE) await readDataset(opened, dataset as Dataset<unknown, LedgerContext>);
}

/** A cold response: from a new container that finds only addresses, pools, and readings of hours ago in the table. */
async function cold(file: keyof typeof ENDPOINTS, request: Parameters<typeof send>[1] = {}) {
  for (const { name } of READ_BEFORE) await makeStale(`local#devnet#${name}`, 3_600);
  const runtime = container();
  await runtime.opened.chain.latest();
  provider.requests.length = 0;
  const handler = createHandler(ENDPOINTS[file] as Endpoint, runtime);
  const response = await send(handler, request);
  return { ...response, requests: provider.requests.length, handler };
}

describe('a cold response takes as few requests as possible', () => {
  beforeAll(readBefore);

  test.each([
    ['prices', {}, 1],
    ['prices/dex', { params: { dex: 'pangolin' } }, 1],
    ['prices/dex', { params: { dex: 'uniswap' } }, 1],
    // With the rate of sAVAX.
    ['prices/dex', { params: { dex: 'pharaoh' } }, 1],
    ['prices/dex', { params: { dex: 'blackhole' } }, 1],
    // The bins to read depend on which one is active.
    ['prices/dex', { params: { dex: 'tj' } }, 2],
    ['gg-avax', {}, 1],
    // Then the ends of requests are simulated at the same block.
    ['withdrawals', {}, 2],
    ['withdrawals/estimate', { query: { ggAvax: '5' } }, 2],
    ['rewards/by-stake', { query }, 1],
    ['validators', { query: { limit: '5' } }, 1],
    // With lists as long as Avalanche has.
    ['stakers', {}, 2, 'long'],
    ['minipools', {}, 2, 'long'],
    ['gg-avax', {}, 2, 'long'],
    ['rewards/by-stake', { query }, 2, 'long'],
    // Two for its own values and the list of minipools, then their records, and simulations.
    ['accounts/address', { params: { address } }, 4, 'long'],
    ['accounts', { query: { address } }, 4, 'long'],
  ] as const)('%s %j: %d', async (file, request, expected, ...lists) => {
    areListsLong = lists.length > 0;
    const { status, requests, handler } = await cold(file, request as Parameters<typeof send>[1]);
    expect([status, requests]).toEqual([200, expected]);
    await send(handler, request as Parameters<typeof send>[1]);
    areListsLong = false;
    expect(provider.requests.length).toBe(expected);
  });
});

const SHARED = [
  {
    datasets: [currentDataset, withdrawalsDataset],
    requests: [
      ['settings', {}],
      ['rewards/cycle', {}],
      ['supply/gg-avax', {}],
      ['supply/ggp-total', {}],
      ['gg-avax', {}],
      ['withdrawals', {}],
      ['withdrawals/address', { params: { address } }],
    ],
    expected: 2,
  },
  {
    datasets: [protocolDataset],
    requests: [
      ['stakers', {}],
      ['stakers/address', { params: { address } }],
      ['minipools', {}],
      ['minipools/node-id', { params: { nodeID } }],
      ['rewards/address', { params: { address } }],
      ['rewards/by-stake', { query }],
    ],
    expected: 1,
  },
] as const;

test.each(SHARED)(
  'endpoints of the dataset $datasets.0.name read it together, at one block, in whatever container',
  async ({ datasets, requests, expected }) => {
    const { opened } = container();
    for (const dataset of datasets) await readDataset(opened, dataset as Dataset<unknown, ChainContext>);
    for (const { name } of datasets) await makeStale(`local#devnet#${name}`, 3_600);
    provider.requests.length = 0;
    const blocks = new Set<unknown>();
    for (const [file, request] of requests) {
      const endpoint = ENDPOINTS[file] as Endpoint;
      const { status, headers } = await sendTo(endpoint, container(), request);
      expect([file, status]).toEqual([file, 200]);
      blocks.add(headers['X-Block-Number']);
    }
    expect([provider.requests.length, blocks.size]).toEqual([expected, 1]);
  },
);
