import { build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/endpoint.ts';
import { knownPools } from '../../lib/prices/current.ts';
import { closeConnections } from '../../lib/upstream/http.ts';
import { ESBUILD_OPTIONS } from '../bundling.ts';
import { startAvalancheApi } from '../local/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../local/devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/telemetry.ts';
import { clientOf, median, openContainer } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';

/**
 * `npm run bench`: for each endpoint the chain requests and the time of a cold response (a container that finds nothing but
 * addresses and pools in the table), the time of a hit, and the size of its bundle. On the devnet, 5 ms away.
 */

const CHAIN_LATENCY_MS = 5;
const COLD_RUNS = 7;
const WARM_RUNS = 2_000;

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const sizes = await bundleSizes();

console.log(`Chain ${CHAIN_LATENCY_MS} ms away; medians of ${COLD_RUNS} cold responses and ${WARM_RUNS} hits.\n`);
console.log(`${'endpoint'.padEnd(26)} chain requests   cold ms   hit µs   bundle kB`);
for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
  const cold = [];
  for (let run = 0; run < COLD_RUNS; run++) cold.push(await coldResponse(file, endpoint));
  console.log(
    endpoint.path.padEnd(26),
    String(median(cold.map(({ requests }) => requests))).padStart(14),
    median(cold.map(({ ms }) => ms))
      .toFixed(1)
      .padStart(9),
    median(cold.map(({ hitUs }) => hitUs))
      .toFixed(0)
      .padStart(8),
    (sizes.get(file) as number).toFixed(0).padStart(11),
  );
}

closeConnections();
await chain.stop();
await api.stop();
await devnet.stop();

/** One response of a new container on a new table, and the median of the hits after it. */
async function coldResponse(file: string, { freshSeconds }: Endpoint) {
  const database = await startDynamoDB();
  const env = { ...database.env, RPC_URLS: chain.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
  await knownPools(openContainer(env, terminalTelemetry));
  const request = clientOf(file, openContainer(env, terminalTelemetry), terminalTelemetry);
  chain.requests = 0;
  const { ms } = await request();
  const { requests } = chain;
  const hits = [];
  const hitRuns = freshSeconds > 0 ? WARM_RUNS : COLD_RUNS;
  for (let run = 0; run < hitRuns; run++) hits.push((await request()).ms);
  await database.stop();
  return { requests, ms, hitUs: median(hits) * 1_000 };
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
