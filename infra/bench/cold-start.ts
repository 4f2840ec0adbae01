import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';
import { readConfig } from '../../lib/config.ts';
import { createContext } from '../../lib/context.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { knownPools } from '../../lib/prices/current.ts';
import { closeConnections } from '../../lib/upstream/http.ts';
import { ESBUILD_OPTIONS } from '../bundling.ts';
import { startLambda } from '../lambda/runtime.ts';
import { startAvalancheApi } from '../local/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../local/devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';
import { EXAMPLE_REQUESTS } from '../local/example-requests.ts';
import { terminalTelemetry } from '../local/telemetry.ts';

/**
 * `npm run bench:cold`: from the start of a process to its first response, for each function under AWS's runtime client, beside an
 * empty handler and one that is written by hand for `/ggAvax` (raw-handler.ts). All are started in turn, so that what else the machine does
 * meets all alike. LAMBDA_RIC must name the folder of the npm package aws-lambda-ric.
 */

const ROUNDS = 15;

interface Contestant {
  name: string;
  /** Of the built file, below the bundles' folder. */
  folder: string;
  event: unknown;
}

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const rawRequests = await requestsOf('gg-avax');
const bundles = await mkdtemp(join(tmpdir(), 'cold-'));
const contestants = await buildAll();
const times = new Map(contestants.map(({ name }) => [name, { init: [] as number[], total: [] as number[] }]));
for (let round = 0; round < ROUNDS; round++) {
  for (const contestant of contestants) await coldStart(contestant);
  console.log(`round ${round + 1} of ${ROUNDS}`);
}
report();
closeConnections();
await rm(bundles, { recursive: true });
await api.stop();
await devnet.stop();

async function buildAll(): Promise<Contestant[]> {
  const endpoints = Object.entries(ENDPOINTS).map(([file, { path }]) => ({
    name: `/${file}`,
    entry: `functions/${file}.ts`,
    event: proxyEvent(path, { method: 'GET', url: EXAMPLE_REQUESTS[file] as string, headers: {} }),
  }));
  const empty = join(bundles, 'empty.js');
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 200, body: "" });');
  const others = [
    { name: 'empty', entry: empty, event: {} },
    { name: 'by hand', entry: 'infra/bench/raw-handler.ts', event: {} },
  ];
  return Promise.all(
    [...others, ...endpoints].map(async ({ name, entry, event }) => {
      const folder = join(bundles, name.replaceAll('/', '-'));
      await mkdir(folder);
      await build({ ...ESBUILD_OPTIONS, entryPoints: [entry], outfile: join(folder, 'index.js') });
      return { name, folder, event };
    }),
  );
}

/** The bodies of the chain requests of a cold response. */
async function requestsOf(file: string): Promise<unknown[]> {
  const database = await startDynamoDB();
  Object.assign(process.env, database.env);
  const bodies: unknown[] = [];
  const recorder = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    bodies.push(JSON.parse(body));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(devnet.url, { method: 'POST', headers, body });
    outgoing.writeHead(200, headers).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const { port } = recorder.address() as AddressInfo;
  const config = readConfig({
    ...process.env,
    NETWORK: 'devnet',
    RPC_URLS: `http://127.0.0.1:${port}`,
    MAX_HEAD_AGE_SECONDS: '0',
  });
  const container = () => createContext(config, terminalTelemetry);
  await knownPools(container());
  bodies.length = 0;
  const context = container();
  const endpoint = ENDPOINTS[file] as Endpoint;
  const event = proxyEvent(endpoint.path, { method: 'GET', url: EXAMPLE_REQUESTS[file] as string, headers: {} });
  await createHandler(endpoint, { telemetry: terminalTelemetry, context: async () => context })(event, lambdaContext());
  closeConnections();
  recorder.close();
  await database.stop();
  return bodies;
}

/** A new process, with a table that holds addresses and pools and nothing else. */
async function coldStart({ name, folder, event }: Contestant): Promise<void> {
  const database = await startDynamoDB();
  const env = {
    ...database.env,
    NETWORK: 'devnet',
    RPC_URLS: devnet.url,
    P_CHAIN_URLS: api.pChainUrl,
    DATA_API_URL: api.dataApiUrl,
    MAX_HEAD_AGE_SECONDS: '0',
    RAW_REQUESTS: JSON.stringify(rawRequests),
  };
  Object.assign(process.env, database.env);
  await knownPools(createContext(readConfig(env), terminalTelemetry));
  const started = performance.now();
  const lambda = await startLambda({ folder, env });
  const result = (await lambda.invoke(event)) as { statusCode: number };
  const took = times.get(name);
  took?.init.push(lambda.initMs);
  took?.total.push(performance.now() - started);
  await lambda.stop();
  await database.stop();
  if (result.statusCode !== 200) throw new Error(`${name} answered ${result.statusCode}`);
}

function report(): void {
  const [empty, byHand] = ['empty', 'by hand'].map((name) => median(times.get(name)?.total ?? [])) as [number, number];
  console.log(`\n${'function'.padEnd(26)}  init ms   first response ms   of empty   of by hand`);
  for (const [name, { init, total }] of times) {
    console.log(
      name.padEnd(26),
      median(init).toFixed(0).padStart(8),
      median(total).toFixed(0).padStart(19),
      (median(total) / empty).toFixed(2).padStart(10),
      (median(total) / byHand).toFixed(2).padStart(12),
    );
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
