/**
 * `npm run bench:peers`: this service on one machine next to a hand-written one and to Ponder (the folders of peers/), on the same
 * recorded chain, 30 ms away: the time and the requests of a backfill, and hits. They take turns, so that whatever else the machine
 * does affects all. docs/peers.md has the results.
 */

import { execFileSync, fork, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { chainOf } from '../../lib/chain/chain.ts';
import { EVENTS } from '../../lib/ledger/event-abis.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { DEVNET_CHAIN_ID } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { endProcess, endsOnRequest } from '../local/end.ts';
import { freePort } from '../local/listen.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { median, openContainer, recordLedger, spread, startUpstreams } from './containers.ts';
import { answered, messageOf, type Server } from './processes.ts';

const CHAIN_LATENCY_MS = 30;
const ROUNDS = 3;
const CONNECTIONS = 50;
const ROUND_SECONDS = 3;
const PATHS = ['/ggAvax', '/activity?limit=100'];
/** Ponder answers from what it has indexed. A path that asks the chain is written there as it is with Hono and viem. */
const PATHS_OF_PONDER = ['/activity?limit=100'];
const PEERS = ['hono-viem', 'ponder'] as const;

type Peer = (typeof PEERS)[number];
type Env = Record<string, string>;

const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'));
/** Undo what has been started; to be called last to first. */
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
endsOnRequest(stopAll);
try {
  const peers = PEERS.filter(install);
  if (peers.length > 0) await compare(peers);
} finally {
  await stopAll();
}

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** Installs a peer in a folder of its own, so that this project does not depend on its packages. Returns whether that worked. */
function install(peer: Peer): boolean {
  console.log(`Installing ${peer} …`);
  const cwd = join(folder, peer);
  cpSync(join(import.meta.dirname, 'peers', peer), cwd, { recursive: true });
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=1'], { cwd, stdio: 'pipe' });
    return true;
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr || error).split('\n');
    const reasons = said.filter((line) => line.startsWith('npm error'));
    console.log(`Skipped: ${peer} cannot be installed (${reasons.slice(0, 2).join('; ') || said[0]})`);
    return false;
  }
}

async function compare(peers: Peer[]): Promise<void> {
  const { chain, stop } = await startUpstreams(CHAIN_LATENCY_MS);
  stops.push(stop);
  const database = await startDynamoDB();
  stops.push(database.stop);
  const env = { ...database.env, RPC_URLS: chain.url };
  const first = openContainer(env, terminalTelemetry);
  await recordLedger(first);
  const { contracts } = await ledgerOf(first).progress.read();
  const { addresses } = await chainOf(first).latest();
  const peerEnv = {
    RPC_URL: chain.url,
    CHAIN_ID: String(DEVNET_CHAIN_ID),
    CONTRACTS: JSON.stringify(contracts.map((text) => text.split('#')[1])),
    EVENTS: JSON.stringify([...new Set(Object.values(EVENTS).flat())]),
    POOL: addresses.TokenggAVAX,
  };

  const servers: Partial<Record<Peer, Server>> = {};
  const backfills: Partial<Record<Peer | 'own', () => Promise<number>>> = { own: () => ownBackfill(chain.url) };
  if (peers.includes('hono-viem')) {
    const server = await start(join(folder, 'hono-viem/server.mjs'), peerEnv);
    servers['hono-viem'] = server;
    backfills['hono-viem'] = async () => {
      server.process.send('backfill');
      return (await messageOf<{ added: number }>(server.process)).added;
    };
  }
  const ponderStarts: number[] = [];
  if (peers.includes('ponder')) {
    backfills.ponder = async () => {
      const { server, startMs } = await startPonder(peerEnv);
      servers.ponder = server;
      ponderStarts.push(startMs);
      await answered(server, '/ready');
      return (await fetch(`${server.url}/count`)).json() as Promise<number>;
    };
  }

  console.log(`Chain ${CHAIN_LATENCY_MS} ms away; medians of ${ROUNDS} rounds in turns, with minimum and maximum.\n`);
  await compareBackfills(backfills, chain, async () => {
    // Ponder goes on to follow the chain.
    if (servers.ponder) await endProcess(servers.ponder.process);
  });
  if (ponderStarts.length > 0) console.log(`of which ponder starts its server: ${spread(ponderStarts)} ms`);
  const own = await start(join(import.meta.dirname, 'own-server.ts'), {
    ...env,
    NETWORK: 'devnet',
    MAX_HEAD_AGE_SECONDS: '0',
  });
  for (const path of PATHS) await compareHits(path, { own, ...servers });
}

interface Run {
  ms: number;
  requests: number;
  events: number;
}

/** Time and requests of each backfill from an empty store. */
async function compareBackfills(
  backfills: Record<string, () => Promise<number>>,
  chain: { requests: number },
  beforeRound: () => Promise<void>,
): Promise<void> {
  const compared = Object.entries(backfills).map(([name, backfill]) => ({ name, backfill, runs: [] as Run[] }));
  for (let round = 0; round < ROUNDS; round++) {
    await beforeRound();
    for (const { backfill, runs } of compared) {
      chain.requests = 0;
      const begun = performance.now();
      const events = await backfill();
      runs.push({ ms: performance.now() - begun, requests: chain.requests, events });
    }
  }
  for (const { name, runs } of compared) {
    const [ms, requests, events] = (['ms', 'requests', 'events'] as const).map((key) =>
      spread(runs.map((run) => run[key])),
    );
    console.log(`backfill, ${name}: ${ms} ms for ${events} events, ${requests} requests`);
  }
}

/** Hits per second of a path; this service's median divided by each peer's is the ratio. */
async function compareHits(path: string, servers: Record<string, Server>): Promise<void> {
  const compared = Object.entries(servers)
    .filter(([name]) => name !== 'ponder' || PATHS_OF_PONDER.includes(path))
    .map(([name, { url }]) => ({ name, url: url + path, rates: [] as number[] }));
  // The first round makes the bodies, and compiles what makes the others.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, url, rates } of compared) {
      const { requests, non2xx, errors } = await autocannon({ url, connections: CONNECTIONS, duration: ROUND_SECONDS });
      if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests to ${name} failed`);
      if (round > 0) rates.push(requests.average);
    }
  }
  const own = median(compared.find(({ name }) => name === 'own')?.rates ?? []);
  for (const { name, rates } of compared) {
    console.log(`hits of ${path}, ${name}: ${spread(rates)}/s, ratio ${(own / median(rates)).toFixed(2)}`);
  }
}

/** Records everything in new tables. Returns the number of entries. */
async function ownBackfill(rpcUrl: string): Promise<number> {
  const tables = await startDynamoDB();
  try {
    const container = openContainer({ ...tables.env, RPC_URLS: rpcUrl }, terminalTelemetry);
    return (await recordLedger(container)).added;
  } finally {
    await tables.stop();
  }
}

/** Starts a program that sends its URL. */
async function start(path: string, env: Env): Promise<Server> {
  const child = fork(path, { env: { ...process.env, ...env } });
  stops.push(() => endProcess(child));
  const { url } = await messageOf<{ url: string }>(child);
  return { process: child, url };
}

/** Starts Ponder on an empty database. It is started when its server answers. */
async function startPonder(env: Env): Promise<{ server: Server; startMs: number }> {
  const begun = performance.now();
  const cwd = join(folder, 'ponder');
  const port = String(await freePort());
  const program = join(cwd, 'node_modules/ponder/dist/esm/bin/ponder.js');
  const options = ['--schema', 'public', '--hostname', '127.0.0.1', '--port', port, '--log-level', 'error'];
  const ponderEnv = { DATABASE_FOLDER: mkdtempSync(join(cwd, 'pglite-')), PONDER_TELEMETRY_DISABLED: 'true' };
  const child = spawn(process.execPath, [program, 'start', ...options], {
    cwd,
    env: { ...process.env, ...env, ...ponderEnv },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  stops.push(() => endProcess(child));
  const server = { process: child, url: `http://127.0.0.1:${port}` };
  await answered(server, '/health');
  return { server, startMs: performance.now() - begun };
}
