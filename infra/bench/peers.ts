import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { EVENTS } from '../../lib/ledger/event-abis.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { reasonOf } from '../tools/reason.ts';
import { median, openContainer } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';

/**
 * `npm run bench:peers`: this service on one machine next to a hand-written one (peers/hono-viem/server.mjs), on the same recorded chain,
 * 30 ms away: the time and the requests of a backfill, and hits. They take turns, so that whatever else the machine does
 * affects both. docs/peers.md has the results.
 */

const CHAIN_LATENCY_MS = 30;
const ROUNDS = 3;
const CONNECTIONS = 50;
const ROUND_SECONDS = 3;
const PATHS = ['/ggAvax', '/activity?limit=100'];
/** Of the peer: installed in a folder of its own, so that this project does not depend on them. */
const PACKAGES = ['hono@4.13.19', '@hono/node-server@2.1.9', 'viem@2.57.20'];

const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'));
if (install()) await compare();
rmSync(folder, { recursive: true });

function install(): boolean {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  copyFileSync(join(import.meta.dirname, 'peers/hono-viem/server.mjs'), join(folder, 'peer.mjs'));
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder, stdio: 'pipe' });
    return true;
  } catch (error) {
    console.log(`Skipped: the peer cannot be installed (${reasonOf(error as Error).split('\n')[0]})`);
    return false;
  }
}

async function compare(): Promise<void> {
  console.log('Starting the devnet …');
  const devnet = await startDevnet({ live: false });
  const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
  const database = await startDynamoDB();
  const env = { ...database.env, RPC_URLS: chain.url };
  const first = openContainer(env, terminalTelemetry);
  await new LedgerRecorder(chainOf(first), ledgerOf(first)).run({ mayGoOn: () => true });
  const { contracts } = await ledgerOf(first).searched.read();
  const { addresses } = await chainOf(first).latest();
  const peer = await start(join(folder, 'peer.mjs'), {
    RPC_URL: chain.url,
    CONTRACTS: JSON.stringify(contracts.map((text) => text.split('#')[1])),
    EVENTS: JSON.stringify([...new Set(Object.values(EVENTS).flat())]),
    POOL: addresses.TokenggAVAX,
  });

  console.log(`Chain ${CHAIN_LATENCY_MS} ms away; medians of ${ROUNDS} rounds in turns, with minimum and maximum.\n`);
  const backfills: Record<'own' | 'peer', Backfill[]> = { own: [], peer: [] };
  for (let round = 0; round < ROUNDS; round++) {
    backfills.own.push(await timed(chain, ownBackfill));
    backfills.peer.push(await timed(chain, peerBackfill));
  }
  for (const [name, runs] of Object.entries(backfills)) {
    const events = runs[0]?.events;
    console.log(
      `backfill, ${name.padEnd(4)}: ${spread(runs.map(({ ms }) => ms))} ms for ${events} events, ${spread(runs.map(({ requests }) => requests))} requests`,
    );
  }

  const own = await start(join(import.meta.dirname, 'load-server.ts'), {
    ...env,
    NETWORK: 'devnet',
    MAX_HEAD_AGE_SECONDS: '0',
  });
  for (const path of PATHS) {
    const rates = { own: [] as number[], peer: [] as number[] };
    // The first round makes the bodies, and compiles what makes the others.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, { url }] of Object.entries({ own, peer }) as ['own' | 'peer', Started][]) {
        const { requests, non2xx, errors } = await autocannon({
          url: url + path,
          connections: CONNECTIONS,
          duration: ROUND_SECONDS,
        });
        if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
        if (round > 0) rates[name].push(requests.average);
      }
    }
    console.log(
      `hits of ${path}: own ${spread(rates.own)}/s, peer ${spread(rates.peer)}/s, ratio ${(median(rates.own) / median(rates.peer)).toFixed(2)}`,
    );
  }

  async function ownBackfill(): Promise<number> {
    const tables = await startDynamoDB();
    const container = openContainer({ ...tables.env, RPC_URLS: chain.url }, terminalTelemetry);
    const { added } = await new LedgerRecorder(chainOf(container), ledgerOf(container)).run({ mayGoOn: () => true });
    await tables.stop();
    return added;
  }

  async function peerBackfill(): Promise<number> {
    peer.process.send('backfill');
    const [{ added }] = (await once(peer.process, 'message')) as [{ added: number }];
    return added;
  }

  own.process.kill();
  peer.process.kill();
  closeConnections();
  await database.stop();
  await chain.stop();
  await devnet.stop();
}

interface Backfill {
  ms: number;
  requests: number;
  events: number;
}

async function timed(chain: { requests: number }, work: () => Promise<number>): Promise<Backfill> {
  chain.requests = 0;
  const started = performance.now();
  const events = await work();
  return { ms: performance.now() - started, requests: chain.requests, events };
}

interface Started {
  process: ChildProcess;
  url: string;
}

/** Starts a server in a process of its own. */
async function start(path: string, env: Record<string, string>): Promise<Started> {
  const process_ = fork(path, { env: { ...process.env, ...env } });
  const [{ url }] = (await once(process_, 'message')) as [{ url: string }];
  return { process: process_, url };
}

/** `median (minimum to maximum)` */
function spread(values: readonly number[]): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(0),
  );
  return `${middle} (${least} to ${most})`;
}
