import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startDynamoDB } from '../local/dynamodb.ts';
import type { BackfillUse } from './backfill-run.ts';
import { startMadeChain } from './made-chain.ts';
import { end, messageOf } from './processes.ts';

/**
 * `npm run bench:backfill`: entries per second and peak memory of a backfill of the ledger, without the writes of its
 * rows; fails above a budget. The chain (made-chain.ts) is a server in this process, without latency, and the backfill
 * a process of its own (backfill-run.ts). Arguments, if any, are the numbers of logs.
 */

const BUDGET = { entriesPerSecond: 1_000, peakMB: 512 };
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [200_000, 1_000_000];
const COLUMNS = ['logs', 'entries', 'rows', 'requests', 'seconds', 'CPU seconds', 'entries/s', 'peak MB'];

console.log(COLUMNS.map((name) => name.padStart(12)).join(''));
for (const size of SIZES) {
  const [chain, database] = await Promise.all([startMadeChain(size), startDynamoDB()]);
  const child = fork(join(import.meta.dirname, 'backfill-run.ts'), {
    env: { ...process.env, ...database.env, RPC_URLS: chain.url },
  });
  const { entries, rows, seconds, cpuSeconds, peakMB } = await messageOf<BackfillUse>(child);
  await end(child);
  const rate = entries / seconds;
  const figures = [chain.logs, entries, rows, chain.requests(), seconds, cpuSeconds, rate, peakMB];
  console.log(figures.map((figure) => figure.toFixed(0).padStart(12)).join(''));
  if (rate < BUDGET.entriesPerSecond || peakMB > BUDGET.peakMB) process.exitCode = 1;
  await Promise.all([chain.stop(), database.stop()]);
}
if (process.exitCode) console.error(`\nBudget: ${BUDGET.entriesPerSecond} entries/s, ${BUDGET.peakMB} MB`);
