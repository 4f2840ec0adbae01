import { build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { ESBUILD_OPTIONS } from '../stack/bundling.ts';
import { clientOf, median, openContainer } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { startFilledTables } from './filled-tables.ts';

/**
 * `npm run bench`: for each endpoint, the chain requests, the table queries and the time of a cold response (from a
 * container that only finds addresses and pools in the cache), the time of a hit, and the size of its bundle. On the
 * devnet, with 5 ms of latency. Fails if answers made from the history or the ledger exceed their budget.
 */

const CHAIN_LATENCY_MS = 5;
const COLD_RUNS = 7;
const WARM_RUNS = 2_000;

interface Budget {
  chain: number;
  queries?: number;
}

const FROM_TABLES: Budget = { chain: 0 };
/** For endpoints whose data is recorded beforehand; all others are measured on empty tables. */
const BUDGETS: Readonly<Record<string, Budget>> = {
  // Each is the example request's, for two addresses and for one. One of them has xGGP, whose worth takes a second request
  // the first time in a container.
  accounts: { chain: 2, queries: 4 },
  'accounts/address': { chain: 2, queries: 2 },
  activity: FROM_TABLES,
  'gg-avax/address': { chain: 1, queries: 3 },
  'gg-avax/address-activity': FROM_TABLES,
  'gg-avax/address-rewards': FROM_TABLES,
  'gg-avax/history': FROM_TABLES,
  holders: FROM_TABLES,
  'metrics/apy-history': FROM_TABLES,
  'metrics/history': FROM_TABLES,
  'metrics/yield-history': FROM_TABLES,
  'minipools/node-id-activity': FROM_TABLES,
  'prices/dex-history': FROM_TABLES,
  'prices/history': FROM_TABLES,
  // Reads what they have now; their claims come from the ledger.
  'rewards/address': { chain: 1, queries: 1 },
  'rewards/address-cycles': FROM_TABLES,
  'rewards/cycles': FROM_TABLES,
  'stakers/address-activity': FROM_TABLES,
  'validators/node-id-history': FROM_TABLES,
};

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const sizes = await bundleSizes();
const upstreams = { P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
const filled = await startFilledTables({ ...upstreams, RPC_URLS: devnet.url });
const tooMany: string[] = [];

console.log(`Chain latency ${CHAIN_LATENCY_MS} ms; medians of ${COLD_RUNS} cold responses and ${WARM_RUNS} hits.\n`);
console.log(`${'endpoint'.padEnd(30)} chain requests   queries   cold ms   hit µs   bundle kB`);
for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
  const cold = [];
  for (let run = 0; run < COLD_RUNS; run++) cold.push(await coldResponse(file, endpoint));
  const requests = median(cold.map((run) => run.requests));
  const queries = median(cold.map((run) => run.queries));
  const budget = BUDGETS[file];
  if (budget && (requests > budget.chain || queries > (budget.queries ?? queries))) tooMany.push(endpoint.path);
  console.log(
    endpoint.path.padEnd(30),
    String(requests).padStart(14),
    String(queries).padStart(9),
    median(cold.map(({ ms }) => ms))
      .toFixed(1)
      .padStart(9),
    median(cold.map(({ hitUs }) => hitUs))
      .toFixed(0)
      .padStart(8),
    (sizes.get(file) as number).toFixed(0).padStart(11),
  );
}

if (tooMany.length > 0) {
  console.error(`\nOver budget: ${tooMany.join(', ')}`);
  process.exitCode = 1;
}
closeConnections();
await filled.stop();
await chain.stop();
await api.stop();
await devnet.stop();

/** The first response of a new container with a new cache, and the median of the hits after it. */
async function coldResponse(file: string, { freshSeconds }: Endpoint) {
  const database = file in BUDGETS ? await filled.withNewCache() : await startTablesWithPools();
  const table = await startCountingProxy(database.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  const env = { ...database.env, ...upstreams, RPC_URLS: chain.url, AWS_ENDPOINT_URL_DYNAMODB: table.url };
  const request = clientOf(file, openContainer(env, terminalTelemetry), terminalTelemetry);
  chain.requests = 0;
  table.queries = 0;
  const { ms } = await request();
  const [{ requests }, { queries }] = [chain, table];
  const hits = [];
  const hitRuns = freshSeconds > 0 ? WARM_RUNS : COLD_RUNS;
  for (let run = 0; run < hitRuns; run++) hits.push((await request()).ms);
  await table.stop();
  await database.stop();
  return { requests, queries, ms, hitUs: median(hits) * 1_000 };
}

/** Empty tables, except for addresses and pools in the cache. */
async function startTablesWithPools() {
  const database = await startDynamoDB();
  await readCachedPools(openContainer({ ...database.env, ...upstreams, RPC_URLS: devnet.url }, terminalTelemetry));
  return database;
}

/** Size of each function's bundle in kB, by file. */
async function bundleSizes(): Promise<Map<string, number>> {
  const { metafile } = await build({
    ...ESBUILD_OPTIONS,
    sourcemap: false,
    entryPoints: Object.keys(ENDPOINTS).map((file) => `functions/${file}.ts`),
    outdir: 'out',
    outbase: 'functions',
    write: false,
    metafile: true,
  });
  const outputs = Object.entries(metafile.outputs);
  return new Map(outputs.map(([path, { bytes }]) => [path.slice('out/'.length, -'.js'.length), bytes / 1_000]));
}
