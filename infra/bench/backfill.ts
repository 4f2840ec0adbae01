/**
 * `npm run bench:backfill`: entries per second and peak memory of a backfill of the ledger, without the writes of its rows, also from
 * one and from two providers with a limit; requests and seconds of one of the history. Fails above a budget. The chains (made-chain.ts,
 * past-chain.ts) are servers in this process, and each backfill a process of its own (fill-run.ts). Arguments, if any, are the numbers
 * of logs.
 */

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startDevnet } from '../devnet/devnet.ts';
import { seedScale } from '../devnet/scale.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { endProcess } from '../local/end.ts';
import { startCountingProxy } from './counting-proxy.ts';
import type { FillUse } from './fill-run.ts';
import { startMadeChain } from './made-chain.ts';
import { startPastChain } from './past-chain.ts';
import { messageOf } from './processes.ts';

const BUDGET = { entriesPerSecond: 1_000, peakMB: 512 };
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [200_000, 1_000_000];
const COLUMNS = ['logs', 'entries', 'rows', 'requests', 'seconds', 'CPU seconds', 'entries/s', 'peak MB'];

console.log(COLUMNS.map((name) => name.padStart(12)).join(''));
for (const size of SIZES) {
  const chain = await startMadeChain(size);
  const { recorded, rows, seconds, cpuSeconds, peakMB } = await runFill(chain.url);
  const rate = recorded / seconds;
  const figures = [chain.logs, recorded, rows, chain.requests(), seconds, cpuSeconds, rate, peakMB];
  console.log(figures.map((figure) => figure.toFixed(0).padStart(12)).join(''));
  if (rate < BUDGET.entriesPerSecond || peakMB > BUDGET.peakMB) process.exitCode = 1;
  await chain.stop();
}
if (process.exitCode) console.error(`\nBudget: ${BUDGET.entriesPerSecond} entries/s, ${BUDGET.peakMB} MB`);

/** Four million blocks with an event now and then, of a provider 100 ms away. */
const SPARSE = { logs: 1_000, blocksOfATransaction: 8_000, mostBlocks: 2_048, latencyMs: 100, perSecond: 20 };
const alone = await fillSparse(1);
const together = await fillSparse(2);
console.log(`Two such providers take ${(together / alone).toFixed(2)} of the time of one`);

/** The seconds that it takes from so many providers with the same limit. */
async function fillSparse(count: number): Promise<number> {
  const { logs, latencyMs, perSecond } = SPARSE;
  const chain = await startMadeChain(logs, SPARSE);
  const start = () => startCountingProxy(chain.url, latencyMs, perSecond);
  const providers = await Promise.all(Array.from({ length: count }, start));
  const { seconds } = await runFill(providers.map(({ url }) => url).join(','));
  const rates = providers.map(({ requests, refused }) => (requests - refused) / seconds);
  console.log(`\nOf ${perSecond} requests a second that a provider ${latencyMs} ms away allows, a sparse ledger uses`);
  for (const [place, { requests, refused }] of providers.entries())
    console.log(`${rates[place]?.toFixed(1)}: ${requests} in ${seconds.toFixed(0)} s, of which ${refused} got a 429`);
  if (Math.min(...rates) < 0.9 * perSecond) process.exitCode = 1;
  await Promise.all([chain, ...providers].map((started) => started.stop()));
  return seconds;
}

/** Fills new tables from these providers. */
async function runFill(rpcUrls: string, args: string[] = []): Promise<FillUse> {
  const database = await startDynamoDB();
  const env = { ...process.env, ...database.env, RPC_URLS: rpcUrls };
  const child = fork(join(import.meta.dirname, 'fill-run.ts'), args, { env });
  const use = await messageOf<FillUse>(child);
  await endProcess(child);
  await database.stop();
  return use;
}

/** Fills of the history from a provider with this latency that allows so many requests a second. */
interface Past {
  what: string;
  interval: '1h' | '1d';
  points: number;
  latencyMs: number;
  perSecond: number;
  budget: { requests: number; seconds: number };
}

const HOURS = { interval: '1h', points: 735, perSecond: Number.POSITIVE_INFINITY } as const;
const PASTS: Past[] = [
  { what: '735 hours', ...HOURS, latencyMs: 0, budget: { requests: 250, seconds: 25 } },
  { what: '735 hours, 100 ms away', ...HOURS, latencyMs: 100, budget: { requests: 250, seconds: 60 } },
];
/** With as many records as mainnet has now, in all of its past. */
const SCALE = { stakers: 620, minipools: 1_900 };
const SCALED_PAST: Past = {
  what: '1,330 days of mainnet, 10 requests a second',
  ...{ interval: '1d', points: 1_330, latencyMs: 100, perSecond: 10 },
  budget: { requests: 1_200, seconds: 120 },
};
const PAST_COLUMNS = ['requests', 'with 429', 'seconds', 'CPU seconds', 'peak MB'];

const devnet = await startDevnet({ live: false, historyDays: 1 });
console.log(`\n${''.padEnd(46)}${PAST_COLUMNS.map((name) => name.padStart(13)).join('')}`);
for (const past of PASTS) await measurePast(past);
await seedScale(devnet, SCALE);
await measurePast(SCALED_PAST);
await devnet.stop();

async function measurePast({ what, interval, points, latencyMs, perSecond, budget }: Past): Promise<void> {
  const chain = await startPastChain(devnet.url);
  const provider = await startCountingProxy(chain.url, latencyMs, perSecond);
  const { recorded, seconds, cpuSeconds, peakMB } = await runFill(provider.url, [interval, String(points)]);
  const figures = [provider.requests, provider.refused, seconds, cpuSeconds, peakMB];
  console.log(what.padEnd(46) + figures.map((figure) => figure.toFixed(0).padStart(13)).join(''));
  if (recorded < points || provider.requests > budget.requests || seconds > budget.seconds) {
    process.exitCode = 1;
    console.error(`Recorded ${recorded} of ${points}; budget: ${budget.requests} requests, ${budget.seconds} s`);
  }
  await Promise.all([provider.stop(), chain.stop()]);
}
