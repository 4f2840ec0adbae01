import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { formatEther, parseEther } from 'ethers';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { createTable, startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { median, openContainer, senderOf } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { type PastHolder, writePast } from './holders-past.ts';

/**
 * `npm run bench:past`: reads the days of addresses that have held ggAVAX for one to five years, page by page, the
 * oldest with 10,000 flows; and the accounts of ten addresses at once. Fails if a day is lost, comes twice or out of
 * order, if answers made from the tables ask the chain, or if the accounts ask more than they may.
 */

const YEAR = 365;
const YEARS = 5;
const FLOWS_PER_DAY = 6;
const PAGE = 100;
const DAY = 86_400;
const CHAIN_LATENCY_MS = 30;
const ACCOUNTS = { chain: 1, queries: 20 };
const RUNS = 7;

const holders = [1, 2, YEARS].map((years): PastHolder => {
  const days = years * YEAR;
  return { address: `0x${`a${years}`.repeat(20)}`, days, flows: days * FLOWS_PER_DAY };
});

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const database = await startDynamoDB();
await writePast(
  openContainer({ ...database.env, RPC_URLS: devnet.url }, terminalTelemetry),
  devnet.url,
  YEARS * YEAR,
  holders,
);
const table = await startCountingProxy(database.env.AWS_ENDPOINT_URL_DYNAMODB as string);
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const env = { ...database.env, RPC_URLS: chain.url, AWS_ENDPOINT_URL_DYNAMODB: table.url };
const client = new DynamoDBClient({ endpoint: database.env.AWS_ENDPOINT_URL_DYNAMODB as string });
let caches = 0;
const faults: string[] = [];

const COLUMNS = ['days', 'flows', 'pages', 'first ms', 'next ms', 'queries', 'chain'];
console.log(`${'years'.padEnd(8)}${COLUMNS.map((name) => name.padStart(10)).join('')}`);
for (const holder of holders) {
  const runs: Awaited<ReturnType<typeof readDays>>[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await readDays(holder));
  const [{ pages, queries, requests } = { pages: 0, queries: 0, requests: 0 }] = runs;
  const [first, next] = [median(runs.map((run) => run.firstMs)), median(runs.flatMap((run) => run.nextMs))];
  const figures = [holder.days, holder.flows, pages, first.toFixed(1), next.toFixed(2), queries, requests];
  console.log(`${holder.days / YEAR}`.padEnd(8) + figures.map((figure) => String(figure).padStart(10)).join(''));
  if (requests > 0) faults.push(`the days of ${holder.days} days ask the chain`);
}

const { requests, queries } = await readAccounts();
console.log(`\n10 accounts: ${requests} chain request, ${queries} table queries`);
if (requests > ACCOUNTS.chain || queries > ACCOUNTS.queries) faults.push('the accounts ask too much');
if (faults.length > 0) {
  console.error(`\n${faults.join('\n')}`);
  process.exitCode = 1;
}
closeConnections();
for (const { stop } of [table, chain, database, devnet]) await stop();

/** Reads all pages of a holder's days in a new container, which knows the rates that all holders share. */
async function readDays({ address, days }: PastHolder) {
  caches += 1;
  const CACHE_TABLE = `cache-${caches}`;
  await createTable(client, CACHE_TABLE, 'cache');
  const context = openContainer({ ...env, CACHE_TABLE }, terminalTelemetry);
  await readRecordedRates(context);
  const send = senderOf('gg-avax/address-rewards', context, terminalTelemetry);
  [chain.requests, table.queries] = [0, 0];
  const starts: number[] = [];
  const times: number[] = [];
  let [sum, total] = [0n, ''];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path = `/ggAvax/${address}/rewards?limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
    const { ms, result } = await send(path);
    if (result.statusCode !== 200) throw new Error(`${path}: ${result.body}`);
    const body = JSON.parse(result.body);
    for (const { timestamp, rewardAVAX } of body.days) {
      starts.push(timestamp);
      sum += parseEther(rewardAVAX);
    }
    total = body.totals.rewardAVAX;
    times.push(ms);
    cursor = body.nextCursor;
  }
  const [first = 0] = starts;
  const isWhole = starts.every((start, index) => start === first + index * DAY);
  // The last day has only begun.
  if (!isWhole || starts.length !== days - 1) faults.push(`${starts.length} of ${days - 1} days, or not in order`);
  if (sum !== parseEther(total)) faults.push(`the days add up to ${formatEther(sum)} AVAX, not to ${total}`);
  const [firstMs = 0, ...nextMs] = times;
  return { firstMs, nextMs, pages: times.length, queries: table.queries, requests: chain.requests };
}

/** Reads the accounts of ten addresses in a container that knows what all addresses share. */
async function readAccounts() {
  const context = openContainer(env, terminalTelemetry);
  await readCachedPools(context);
  const send = senderOf('accounts', context, terminalTelemetry);
  const others = Array.from({ length: 10 - holders.length }, (_, index) => `0x${`b${index}`.repeat(20)}`);
  const addresses = [...holders.map(({ address }) => address), ...others];
  // Who has had minipools is shared, too.
  await send(`/accounts?address=${others[0]}`);
  [chain.requests, table.queries] = [0, 0];
  const { result } = await send(`/accounts?address=${addresses.join()}`);
  if (result.statusCode !== 200) throw new Error(result.body);
  return { requests: chain.requests, queries: table.queries };
}
