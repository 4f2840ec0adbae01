/**
 * `npm run bench`: for each endpoint, the chain requests, the table queries and the time of a cold response (from a
 * container that only finds addresses, pools, recorded rates and the protocol's lists in the cache), the time of a hit, and the
 * size of its bundle. On the devnet, with 5 ms of latency. Fails if a cold response takes more chain requests than its
 * budget.
 */

import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { bundleFunctions } from '../stack/bundling.ts';
import { clientOf, median, openContainer, startUpstreams } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { startFilledTables } from './filled-tables.ts';

const CHAIN_LATENCY_MS = 5;
const COLD_RUNS = 5;
const WARM_RUNS = 500;

/** Answer from tables, and from other containers' readings in the cache. */
const WITHOUT_CHAIN = [
  ...['prices/history', 'prices/at', 'prices/dex-history', 'gg-avax/history', 'gg-avax/address-activity'],
  ...['gg-avax/address-rewards', 'holders', 'accounts/address-income', 'stakers/address-activity', 'minipools'],
  ...['minipools/node-id', 'minipools/node-id-activity', 'validators', 'validators/node-id'],
  ...['rewards/address-cycles', 'rewards/cycles', 'activity', 'metrics/history'],
  ...['stakers', 'stakers/address', 'rewards/by-stake', 'rewards/address', 'metrics', 'metrics/name'],
  ...['metrics/apy-history', 'flags', 'flags/key', 'root'],
];
/** The most requests to the chain that a cold response may take, except for these. */
const USUAL_BUDGET = 2;
const BUDGETS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WITHOUT_CHAIN.map((file) => [file, 0])),
  // The contracts' answers, values that depend on them, and the simulations.
  ...{ accounts: 3, 'accounts/address': 3, 'accounts/address-calendar': 3, 'accounts/calendar': 3 },
  // The queue, its requests, and the simulation of their ends.
  ...{ withdrawals: 3, 'withdrawals/address': 3 },
};

const { devnetUrl, chain, env: upstreams, stop } = await startUpstreams(CHAIN_LATENCY_MS);
const bundles = await bundleFunctions();
const filled = await startFilledTables({ ...upstreams, RPC_URLS: devnetUrl });
const tooMany: string[] = [];

console.log(`Chain latency ${CHAIN_LATENCY_MS} ms; medians of ${COLD_RUNS} cold responses and ${WARM_RUNS} hits.\n`);
console.log(`${'endpoint'.padEnd(30)} chain requests   queries   cold ms   hit µs   bundle kB`);
for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
  const cold = [];
  for (let run = 0; run < COLD_RUNS; run++) cold.push(await coldResponse(endpoint));
  const requests = median(cold.map((run) => run.requests));
  const queries = median(cold.map((run) => run.queries));
  if (requests > (BUDGETS[file] ?? USUAL_BUDGET)) tooMany.push(endpoint.path);
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
    ((bundles.get(`functions/${file}.ts`)?.bytes ?? Number.NaN) / 1_000).toFixed(0).padStart(11),
  );
}

if (tooMany.length > 0) {
  console.error(`\nOver budget: ${tooMany.join(', ')}`);
  process.exitCode = 1;
}
await filled.stop();
await stop();

/** The first response of a new container with a new cache, and the median of the hits after it. */
async function coldResponse(endpoint: Endpoint) {
  const database = await filled.withNewCache();
  const table = await startCountingProxy(database.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  const env = { ...database.env, ...upstreams, AWS_ENDPOINT_URL_DYNAMODB: table.url };
  const request = clientOf(endpoint, openContainer(env, terminalTelemetry), terminalTelemetry);
  chain.requests = 0;
  table.queries = 0;
  const { ms } = await request();
  const [{ requests }, { queries }] = [chain, table];
  const hits = [];
  const hitRuns = endpoint.freshSeconds > 0 ? WARM_RUNS : COLD_RUNS;
  for (let run = 0; run < hitRuns; run++) hits.push((await request()).ms);
  await table.stop();
  await database.stop();
  return { requests, queries, ms, hitUs: median(hits) * 1_000 };
}
