import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB, useDynamoDB } from '../local/dynamodb.ts';
import { measureFleet } from './fleet.ts';

/**
 * `npm run bench:load`: hits of the local server against constants from the same server, in turns; memory over 100,000
 * requests; and a fleet of containers on one table. Only ratios within a run mean something, not absolute numbers.
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
useDynamoDB(database.env);
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

/** Hits against the constants, in turns, so that whatever else the machine does affects all alike. */
async function measureHits(): Promise<void> {
  const rates = new Map(['/constant', '/same-answer', '/ggAvax'].map((path) => [path, [] as number[]]));
  for (let round = 1; round <= ROUNDS; round++) {
    const told: string[] = [];
    for (const [path, ofPath] of rates) {
      const result = await autocannon({ url: url + path, connections: CONNECTIONS, duration: ROUND_SECONDS });
      if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
      ofPath.push(result.requests.average);
      const { p50, p99 } = result.latency;
      told.push(`${path} ${result.requests.average.toFixed(0)}/s (p50 ${p50} ms, p99 ${p99} ms)`);
    }
    console.log(`round ${round}: ${told.join(', ')}`);
  }
  const rateOf = (path: string) => sum(rates.get(path) as number[]);
  const ratio = (path: string) => (rateOf('/ggAvax') / rateOf(path)).toFixed(2);
  console.log(
    `hits per second: ${ratio('/constant')} times those of a short constant, ${ratio('/same-answer')} times those of the same answer as a constant\n`,
  );
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
