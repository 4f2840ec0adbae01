import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { seedScale } from '../devnet/scale.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { median, openContainer, senderOf } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';

/**
 * `npm run bench:scale`: lists of a network as large as the real one: read cold, read again once the data is no longer
 * fresh, and served by a container that finds the data in the table. The chain is 5 ms away; its node runs on the same
 * machine, and to read everything takes it longer than us.
 *
 * No more minipools can be created. 20,000 would be 67 calls of 30 M gas and an answer of 37 MB, which is not accepted
 * (lib/chain/upstream/http.ts): they would have to be read in several requests, and kept in parts.
 */

/** Besides those of the devnet's scenario. */
const SIZE = { stakers: 620, minipools: 1_900 };
const CHAIN_LATENCY_MS = 5;
/** More than the freshness of any list. */
const LATER_MS = 120_000;
const RUNS = 5;

const REQUESTS: [file: string, url: string][] = [
  ['minipools', '/minipools?limit=20'],
  ['minipools', '/minipools'],
  ['stakers', '/stakers?limit=100'],
  ['stakers', '/stakers'],
  ['stakers/address', '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'],
  ['rewards/cycle', '/rewards/cycle'],
  ['metrics', '/metrics'],
];
const COLUMNS = ['status', 'chain requests', 'refresh', 'cold ms', 'refresh ms', 'hit ms', 'kB'];

console.log(`Starting a devnet with ${SIZE.stakers} additional stakers and ${SIZE.minipools} additional minipools …`);
const devnet = await startDevnet({ live: false, historyDays: 1 });
await seedScale(devnet, SIZE);
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);

console.log(`Chain latency ${CHAIN_LATENCY_MS} ms; medians of ${RUNS} runs.\n`);
console.log(`${'request'.padEnd(24)}${COLUMNS.map((column) => column.padStart(column.length + 3)).join('')}`);
for (const [file, url] of REQUESTS) {
  const runs: number[][] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await measure(file, url));
  const figures = COLUMNS.map((column, place) =>
    median(runs.map((run) => run[place] ?? 0))
      .toFixed(0)
      .padStart(column.length + 3),
  );
  console.log(url.slice(0, 24).padEnd(24) + figures.join(''));
}
closeConnections();
await chain.stop();
await devnet.stop();

/** The figures of one run, in the order of the columns, with new tables. */
async function measure(file: string, url: string): Promise<number[]> {
  const database = await startDynamoDB();
  const open = () => openContainer({ ...database.env, RPC_URLS: chain.url }, terminalTelemetry);
  const send = senderOf(file, open(), terminalTelemetry);
  chain.requests = 0;
  const cold = await send(url);
  const coldRequests = chain.requests;
  const { now } = Date;
  Date.now = () => now() + LATER_MS;
  const refresh = await send(url);
  const refreshRequests = chain.requests - coldRequests;
  const hit = await senderOf(file, open(), terminalTelemetry)(url);
  Date.now = now;
  await database.stop();
  const { statusCode, body } = cold.result;
  return [statusCode, coldRequests, refreshRequests, cold.ms, refresh.ms, hit.ms, Buffer.byteLength(body) / 1_000];
}
