import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../devnet/devnet.ts';
import { startLambda } from '../emulators/lambda/runtime.ts';
import { proxyEvent } from '../local/event.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { ESBUILD_OPTIONS } from '../stack/bundling.ts';
import { median, openContainer, spread } from './containers.ts';
import { startFilledTables } from './filled-tables.ts';

/**
 * `npm run bench:cold`: the time from the start of a process to its first response, for each function under AWS's
 * runtime client, next to a handler of `/ggAvax` written by hand with ethers (by-hand.ts), and an empty one.
 * They are started in turns, so that whatever else the machine does affects all alike. Fails if the median of the
 * functions is above the budget; a single one may be. Arguments, if any, are the files of the functions to measure.
 */

const ROUNDS = 7;
/** The median of the functions ÷ the handler written by hand. */
const BUDGET = 1.35;
const EMPTY = 'export const handler = async () => ({ statusCode: 200, body: "" });';

interface Contestant {
  name: string;
  /** Of its bundle. */
  folder: string;
  event: unknown;
  initMs: number[];
  totalMs: number[];
}

interface Source {
  entryPoints?: string[];
  stdin?: { contents: string };
}

const files = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ENDPOINTS);
console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const upstreams = { RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
const filled = await startFilledTables(upstreams);
const { addresses, network } = await chainOf(
  openContainer((await filled.withNewCache()).env, terminalTelemetry),
).latest();
/** For the handler by hand, which looks up nothing. */
const known = {
  ...{ RPC_URL: devnet.url, CHAIN_ID: String(network.chainId), QUEUE: network.withdrawQueue, WAVAX: network.wavax },
  ...{ POOL: addresses.TokenggAVAX, DAO: addresses.ProtocolDAO },
};
const bundles = await mkdtemp(join(tmpdir(), 'cold-'));
const empty = await contestantOf('empty', { stdin: { contents: EMPTY } }, {});
const byHand = await contestantOf('/ggAvax by hand', { entryPoints: ['infra/bench/by-hand.ts'] }, eventFor('gg-avax'));
const functions = await Promise.all(
  files.map((file) => contestantOf(endpointOf(file).path, { entryPoints: [`functions/${file}.ts`] }, eventFor(file))),
);
const contestants = [empty, byHand, ...functions];
for (let round = 0; round < ROUNDS; round++) {
  for (const contestant of contestants) await measure(contestant);
  console.log(`round ${round + 1} of ${ROUNDS}: ${spread(functions.map(ratioOf), 2)}`);
}
report();
closeConnections();
await filled.stop();
await rm(bundles, { recursive: true });
await api.stop();
await devnet.stop();

function endpointOf(file: string) {
  const endpoint = ENDPOINTS[file];
  if (!endpoint) throw new Error(`No endpoint has the file ${file}`);
  return endpoint;
}

function eventFor(file: string): unknown {
  const { path, exampleRequest } = endpointOf(file);
  return proxyEvent(path, { method: 'GET', url: exampleRequest, headers: {} });
}

async function contestantOf(name: string, source: Source, event: unknown): Promise<Contestant> {
  const folder = join(bundles, name.replaceAll(/\W/g, '-'));
  await build({ ...ESBUILD_OPTIONS, ...source, outfile: join(folder, 'index.js') });
  return { name, folder, event, initMs: [], totalMs: [] };
}

/** Starts a process with a new cache, and invokes it once. */
async function measure({ name, folder, event, initMs, totalMs }: Contestant): Promise<void> {
  const { env } = await filled.withNewCache();
  const settings = { ...env, ...upstreams, ...known, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' };
  const lambda = await startLambda({ folder, env: settings });
  const invoked = performance.now();
  const result = (await lambda.invoke(event)) as { statusCode: number };
  totalMs.push(lambda.initMs + performance.now() - invoked);
  initMs.push(lambda.initMs);
  if (result.statusCode !== 200) throw new Error(`${name} answered ${result.statusCode}`);
  await lambda.stop();
}

function report(): void {
  console.log(`\n${'function'.padEnd(32)}  init ms   first response ms   ÷ by hand`);
  for (const contestant of contestants) {
    const { name, initMs, totalMs } = contestant;
    const figures = [median(initMs).toFixed(0).padStart(8), median(totalMs).toFixed(0).padStart(19)];
    console.log(name.padEnd(32), ...figures, ratioOf(contestant).toFixed(2).padStart(11));
  }
  console.log(`\n${functions.length} functions ÷ by hand: ${spread(functions.map(ratioOf), 2)}`);
  if (median(functions.map(ratioOf)) <= BUDGET) return;
  console.error(`The median is above ${BUDGET}`);
  process.exitCode = 1;
}

function ratioOf({ totalMs }: Contestant): number {
  return median(totalMs) / median(byHand.totalMs);
}
