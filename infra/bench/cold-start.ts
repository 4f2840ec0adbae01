import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ENDPOINTS } from '../../functions/index.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../devnet/devnet.ts';
import { startLambda } from '../emulators/lambda/runtime.ts';
import { proxyEvent } from '../local/event.ts';
import { listen } from '../local/listen.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { ESBUILD_OPTIONS } from '../stack/bundling.ts';
import { clientOf, median, openContainer } from './containers.ts';
import { startFilledTables } from './filled-tables.ts';
import { PROFILE_PARTS, profiled } from './profile.ts';
import type { RawRequest } from './raw-handler.ts';

/**
 * `npm run bench:cold`: the time from the start of a process to its first response, for each function under AWS's
 * runtime client, next to an empty handler and to a hand-written one that makes the same upstream requests
 * (raw-handler.ts). They are started in turns, so that whatever else the machine does affects all alike. Arguments, if
 * any, are the files of the functions to measure.
 */

const ROUNDS = 15;
const QUERY = 'DynamoDB_20120810.Query';
const EMPTY = 'empty';
const BY_HAND = ' by hand';
const CHOSEN = process.argv.slice(2);

interface Contestant {
  name: string;
  /** What the hand-written handler requests. */
  requests: RawRequest[];
  /** Path of the built file in the bundles' folder. */
  folder: string;
  event: unknown;
}

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const upstreams = { RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
const filled = await startFilledTables(upstreams);
const bundles = await mkdtemp(join(tmpdir(), 'cold-'));
const contestants = await buildAll();
const times = new Map(contestants.map(({ name }) => [name, { init: [] as number[], total: [] as number[] }]));
for (let round = 0; round < ROUNDS; round++) {
  for (const contestant of contestants) await measure(contestant);
  console.log(`round ${round + 1} of ${ROUNDS}`);
}
report();
await reportProfiles();
closeConnections();
await filled.stop();
await rm(bundles, { recursive: true });
await api.stop();
await devnet.stop();

async function buildAll(): Promise<Contestant[]> {
  const empty = await buildBundle('empty', {
    contents: 'export const handler = async () => ({ statusCode: 200, body: "" });',
  });
  const raw = await buildBundle('raw', 'infra/bench/raw-handler.ts');
  const built: Contestant[] = [{ name: EMPTY, folder: empty, event: {}, requests: [] }];
  for (const [file, { path, exampleRequest }] of Object.entries(ENDPOINTS)) {
    if (CHOSEN.length > 0 && !CHOSEN.includes(file)) continue;
    const event = proxyEvent(path, { method: 'GET', url: exampleRequest, headers: {} });
    built.push({ name: path, folder: await buildBundle(file, `functions/${file}.ts`), event, requests: [] });
    built.push({ name: path + BY_HAND, folder: raw, event, requests: await requestsOf(file) });
  }
  return built;
}

/** The folder of a bundle. */
async function buildBundle(name: string, source: string | { contents: string }): Promise<string> {
  const folder = join(bundles, name.replaceAll('/', '-'));
  const entry = typeof source === 'string' ? { entryPoints: [source] } : { stdin: source };
  await build({ ...ESBUILD_OPTIONS, ...entry, outfile: join(folder, 'index.js') });
  return folder;
}

/**
 * The requests of a cold response of a file's endpoint to upstreams, and its queries of the history and the ledger. What
 * it asks of the cache, the hand-written handler asks of its own accord.
 */
async function requestsOf(file: string): Promise<RawRequest[]> {
  const asked: RawRequest[] = [];
  const { env } = await filled.withNewCache();
  const recorded = { ...upstreams, AWS_ENDPOINT_URL_DYNAMODB: env.AWS_ENDPOINT_URL_DYNAMODB as string };
  const recorders = await Promise.all(
    Object.entries(recorded).map(async ([name, url]) => ({ name, ...(await startRecorder(url, asked)) })),
  );
  const urls = Object.fromEntries(recorders.map(({ name, url }) => [name, url]));
  await clientOf(file, openContainer({ ...env, ...urls }, terminalTelemetry), terminalTelemetry)();
  closeConnections();
  await Promise.all(recorders.map((recorder) => recorder.stop()));
  return [...asked];
}

/** A proxy in front of an upstream or the tables that records what it is asked. */
async function startRecorder(upstream: string, asked: RawRequest[]) {
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const url = new URL(incoming.url ?? '', upstream).href;
    const operation = incoming.headers['x-amz-target'];
    if (!operation) asked.push({ url, ...(body && { body }) });
    if (operation === QUERY) asked.push({ query: JSON.parse(body) });
    const { host, connection, 'content-length': length, ...headers } = incoming.headers as Record<string, string>;
    const answer = await fetch(url, body ? { method: 'POST', headers, body } : {});
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { url, stop } = await listen(server);
  return { url: `${url}${new URL(upstream).pathname}`.replace(/\/$/, ''), stop };
}

/** A new process, with a new cache. */
async function coldStart({ name, folder, event, requests }: Contestant, more: Record<string, string> = {}) {
  const tables = await filled.withNewCache();
  const env = { ...tables.env, ...upstreams, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' };
  const lambda = await startLambda({ folder, env: { ...env, ...more, RAW_REQUESTS: JSON.stringify(requests) } });
  const invoked = performance.now();
  const result = (await lambda.invoke(event)) as { statusCode: number };
  const total = lambda.initMs + performance.now() - invoked;
  if (result.statusCode !== 200) throw new Error(`${name} answered ${result.statusCode}`);
  return { lambda, total };
}

async function measure(contestant: Contestant): Promise<void> {
  const { lambda, total } = await coldStart(contestant);
  const took = times.get(contestant.name);
  took?.init.push(lambda.initMs);
  took?.total.push(total);
  await lambda.stop();
}

/** What each function spends its time on, in percent of a start under the profiler, which takes longer. */
async function reportProfiles(): Promise<void> {
  console.log(`\n${'% of profiled time'.padEnd(26)}${PROFILE_PARTS.map((part) => part.padStart(13)).join('')}`);
  for (const contestant of contestants) {
    if (contestant.name.endsWith(BY_HAND)) continue;
    const shares = await profiled(contestant.folder, async (folder, env) => {
      const { lambda } = await coldStart({ ...contestant, folder }, env);
      await lambda.invoke(contestant.event).catch(() => {});
      await lambda.stop();
    });
    const figures = PROFILE_PARTS.map((part) => (100 * (shares.get(part) ?? 0)).toFixed(0).padStart(13));
    console.log(contestant.name.padEnd(26) + figures.join(''));
  }
}

function report(): void {
  const total = (name: string) => median(times.get(name)?.total ?? []);
  const ratios: number[] = [];
  console.log(`\n${'function'.padEnd(26)}  init ms   first response ms   ÷ empty   ÷ by hand`);
  for (const [name, { init }] of times) {
    if (name.endsWith(BY_HAND)) continue;
    const ratio = total(name) / total(name + BY_HAND);
    if (name !== EMPTY) ratios.push(ratio);
    console.log(
      name.padEnd(26),
      median(init).toFixed(0).padStart(8),
      total(name).toFixed(0).padStart(19),
      (total(name) / total(EMPTY)).toFixed(2).padStart(10),
      name === EMPTY ? '' : ratio.toFixed(2).padStart(12),
    );
  }
  console.log(`Median: ${median(ratios).toFixed(2)} times the handlers written by hand`);
}
