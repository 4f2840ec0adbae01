/**
 * The peer of `npm run bench:peers`: a data service as one would write it by hand with Hono and viem, in memory. It runs in a folder
 * of its own, in which these packages are installed.
 */

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createPublicClient, http, parseAbi, parseEventLogs } from 'viem';

/** As many as most providers allow. */
const BLOCKS_OF_A_REQUEST = 2_000;
const FRESH_MS = 30_000;

const { RPC_URL, CONTRACTS, EVENTS, POOL } = process.env;
const client = createPublicClient({ transport: http(RPC_URL, { batch: true }) });
const events = parseAbi(JSON.parse(EVENTS));
const pool = parseAbi([
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function stakingTotalAssets() view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
]);
let entries = [];

/** All events of the contracts, with the times of their blocks. Returns how many. */
async function backfill() {
  const head = await client.getBlockNumber();
  const found = [];
  for (let from = 0n; from <= head; from += BigInt(BLOCKS_OF_A_REQUEST)) {
    const toBlock = from + BigInt(BLOCKS_OF_A_REQUEST - 1);
    found.push(await client.getLogs({ address: JSON.parse(CONTRACTS), events, fromBlock: from, toBlock }));
  }
  const logs = parseEventLogs({ abi: events, logs: found.flat() });
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })));
  const times = new Map(blocks.map(({ number, timestamp }) => [number, Number(timestamp)]));
  entries = logs.reverse().map(({ eventName, args, blockNumber, transactionHash, logIndex }) => ({
    type: eventName,
    block: Number(blockNumber),
    timestamp: times.get(blockNumber),
    transactionHash,
    logIndex,
    ...Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)])),
  }));
  return entries.length;
}

async function readPool() {
  const ask = (functionName, args) => client.readContract({ address: POOL, abi: pool, functionName, args });
  const [totalAssets, totalSupply, stakingTotalAssets, avaxPerGgAvax] = await Promise.all([
    ask('totalAssets'),
    ask('totalSupply'),
    ask('stakingTotalAssets'),
    ask('convertToAssets', [10n ** 18n]),
  ]);
  return { totalAssets, totalSupply, stakingTotalAssets, avaxPerGgAvax };
}

const kept = new Map();

/** The body of a path, as made within the last 30 seconds. */
async function bodyOf(path, make) {
  const known = kept.get(path);
  if (known && Date.now() < known.until) return known.body;
  const body = JSON.stringify(await make(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  kept.set(path, { body, until: Date.now() + FRESH_MS });
  return body;
}

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=30' };
const app = new Hono();
app.get('/ggAvax', async (c) => c.body(await bodyOf('/ggAvax', readPool), 200, HEADERS));
app.get('/activity', async (c) => {
  const limit = Number(c.req.query('limit') ?? 100);
  return c.body(await bodyOf(`/activity?${limit}`, () => ({ entries: entries.slice(0, limit) })), 200, HEADERS);
});

process.once('disconnect', () => process.exit());
process.on('message', async () => process.send({ added: await backfill() }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send({ url: `http://127.0.0.1:${port}` }),
);
