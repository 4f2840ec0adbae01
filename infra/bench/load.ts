import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { startAvalancheApi } from '../local/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../local/devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { measureFleet } from './fleet.ts';

/**
 * `npm run bench:load`: hits of the local server against a constant through the same server, in turns; memory over 100,000
 * requests; and a fleet of containers on one table. Ratios of one run mean something, the absolute numbers do not.
 */

const CONNECTIONS = 50;
const ROUND_SECONDS = 4;
const ROUNDS = 3;
/** Numbers of requests after which the memory is measured. */
const MEMORY_STEPS = [10_000, 25_000, 50_000, 100_000];

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const database = await startDynamoDB();
Object.assign(process.env, database.env);
const server = fork(new URL('./load-server.ts', import.meta.url), {
  execArgv: ['--expose-gc'],
  env: {
    ...process.env,
    NETWORK: 'devnet',
    RPC_URLS: devnet.url,
    P_CHAIN_URLS: api.pChainUrl,
    MAX_HEAD_AGE_SECONDS: '0',
  },
});
const [{ url }] = (await once(server, 'message')) as [{ url: string }];

await measureHits();
await measureMemory();
server.kill();
await measureFleet();
await database.stop();
await api.stop();
await devnet.stop();

/** A hit against the constant, in turns, so that whatever else the machine does falls on both. */
async function measureHits(): Promise<void> {
  const rates = { constant: [] as number[], hit: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const constant = await autocannon({ url: `${url}/constant`, connections: CONNECTIONS, duration: ROUND_SECONDS });
    const hit = await autocannon({ url: `${url}/ggAvax`, connections: CONNECTIONS, duration: ROUND_SECONDS });
    if (hit.non2xx + hit.errors > 0) throw new Error(`${hit.non2xx + hit.errors} requests failed`);
    rates.constant.push(constant.requests.average);
    rates.hit.push(hit.requests.average);
    console.log(
      `round ${round + 1}: constant ${constant.requests.average.toFixed(0)}/s, hit ${hit.requests.average.toFixed(0)}/s` +
        ` (p50 ${hit.latency.p50} ms, p99 ${hit.latency.p99} ms)`,
    );
  }
  console.log(`hits per second / constants per second: ${(sum(rates.hit) / sum(rates.constant)).toFixed(2)}\n`);
}

/** Heap after collection, while every request asks for other amounts. */
async function measureMemory(): Promise<void> {
  console.log(`heap at the start: ${(await heapOf(server)).toFixed(1)} MB`);
  let asked = 0;
  for (const total of MEMORY_STEPS) {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (asked < total) {
          const response = await fetch(`${url}/rewards/byStake?avaxStaked=1000&ggpStaked=${6_000 + asked++}`);
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`a request was answered with ${response.status}`);
        }
      }),
    );
    console.log(`heap after ${String(total).padStart(6)} different requests: ${(await heapOf(server)).toFixed(1)} MB`);
  }
  console.log();
}

async function heapOf(child: ChildProcess): Promise<number> {
  child.send('memory');
  const [{ heapMB }] = (await once(child, 'message')) as [{ heapMB: number }];
  return heapMB;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
