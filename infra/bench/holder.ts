import { toQuantity } from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { sumUp, toBytes } from '../../lib/history/holder-day.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { boundaryFrom } from '../../lib/history/series.ts';
import type { Entry, EntryOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { openContainer } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { startMeter } from './meter.ts';

/**
 * `npm run bench:holder`: what it takes to answer for an exchange: an address with 300,000 flows over the protocol's 1,240
 * days, first and after 300 s. The chain is 30 ms away, the table 5 ms. Fails above the budget.
 */

const FLOWS = Number(process.argv[2] ?? 300_000);
const DAYS = 1_240;
const DAY = 86_400;
const EXCHANGE = `0x${'ec'.repeat(20)}`;
const SOMEBODY = `0x${'5b'.repeat(20)}`;
const CHAIN_LATENCY_MS = 30;
const TABLE_LATENCY_MS = 5;
const BUDGET = { ms: 500, queries: 4, units: 100 };
/** When the spans of a holder are read again. */
const LATER_MS = 301_000;
const REQUESTS: [file: string, path: string][] = [
  ['gg-avax/address', `/ggAvax/${EXCHANGE}`],
  ['gg-avax/address-rewards', `/ggAvax/${EXCHANGE}/rewards?limit=100`],
];

console.log('Starting the devnet …');
const devnet = await startDevnet({ live: false });
const database = await startDynamoDB();
const recorder = openContainer({ ...database.env, RPC_URLS: devnet.url }, terminalTelemetry);
await writePast();

const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string, TABLE_LATENCY_MS);
const table = await startCountingProxy(meter.url);
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const env = { ...database.env, RPC_URLS: chain.url, AWS_ENDPOINT_URL_DYNAMODB: table.url };
let isOver = false;
console.log(
  `${'request'.padEnd(20)}${['', 'status', 'ms', 'chain', 'queries', 'units'].map((name) => name.padStart(9)).join('')}`,
);
for (const [file, url] of REQUESTS) {
  const context = openContainer(env, terminalTelemetry);
  const endpoint = ENDPOINTS[file] as (typeof ENDPOINTS)[string];
  const handler = createHandler(endpoint, { telemetry: terminalTelemetry, context: async () => context });
  const { now } = Date;
  for (const visitor of ['first', 'later']) {
    if (visitor === 'later') Date.now = () => now() + LATER_MS;
    // All holders share them.
    await Promise.all([readCachedPools(context), readRecordedRates(context)]);
    meter.take();
    [chain.requests, table.queries] = [0, 0];
    const begun = performance.now();
    const { statusCode } = await handler(
      proxyEvent(endpoint.path, { method: 'GET', url, headers: {} }),
      lambdaContext(),
    );
    const ms = performance.now() - begun;
    const { reads } = meter.take();
    const figures = [visitor, statusCode, ms.toFixed(0), chain.requests, table.queries, reads];
    console.log(endpoint.path.padEnd(20) + figures.map((figure) => String(figure).padStart(9)).join(''));
    isOver ||= statusCode !== 200 || ms > BUDGET.ms || table.queries > BUDGET.queries || reads > BUDGET.units;
  }
  Date.now = now;
}
if (isOver) {
  console.error('\nOver budget');
  process.exitCode = 1;
}
closeConnections();
for (const { stop } of [table, meter, chain, database, devnet]) await stop();

/**
 * Lets the devnet grow by 1,240 days, a block a day, with the exchange's flows and a recorded rate for each day. The
 * last day, as it begins, is not summed up. Of the others, only the sums are written: nobody reads their entries.
 */
async function writePast(): Promise<void> {
  const [ledger, history, chainNow] = [ledgerOf(recorder), historyOf(recorder), chainOf(recorder)];
  const { number: firstBlock, timestamp } = await chainNow.head();
  await send('evm_setNextBlockTimestamp', [boundaryFrom(timestamp + 1, '1d') + DAY / 2]);
  for (let mined = 0; mined < DAYS; mined += 40) await send('anvil_mine', [toQuantity(40), toQuantity(DAY)]);
  const head = await chainNow.head();
  const flowsOfDay = Math.floor(FLOWS / DAYS);
  const firstDay = boundaryFrom(head.timestamp, '1d') - DAYS * DAY;
  let index = 0;
  const flowAt = (time: number): EntryOf<'ggAvaxTransferred'> => {
    index += 1;
    const block = head.number - Math.floor((head.timestamp - time) / DAY);
    const shares = 10n ** 18n + BigInt(index) * 987_654_321_987n;
    const rate = 10n ** 18n + BigInt(index) * 666_666_666n;
    const [from, to] = index % 2 ? [SOMEBODY, EXCHANGE] : [EXCHANGE, SOMEBODY];
    const place = { block, logIndex: index % 1_000, timestamp: time, txHash: `0x${String(index).padStart(64, 'a')}` };
    return { ...place, type: 'ggAvaxTransferred', from, to, shares, rate, assets: (shares * rate) / 10n ** 18n };
  };
  for (let day = 0; day < DAYS; day++) {
    const start = firstDay + day * DAY;
    const flows = Array.from({ length: flowsOfDay }, (_, place) =>
      flowAt(start + 1 + Math.floor((place / flowsOfDay) * (DAY / 2))),
    );
    if (day === DAYS - 1) await ledger.write(flows);
    else await writeDay(start + DAY, flows);
    const totalSupply = 10n ** 24n;
    const totalAssets = totalSupply + BigInt(day) * 10n ** 20n;
    const values = { totalAssets, totalSupply, avaxPerGgAvax: totalAssets / 10n ** 6n, avaxInUSD: 10n ** 19n };
    await history.write('1d', { timestamp: start, block: { number: firstBlock, timestamp: start }, values });
  }
  await new LedgerRecorder(chainNow, ledger).run({ mayGoOn: () => true });
  await ledger.searched.setSummed({ block: firstBlock, time: firstDay + (DAYS - 1) * DAY });
}

async function writeDay(end: number, flows: Entry[]): Promise<void> {
  const sums = toBytes(sumUp(EXCHANGE, flows, recorder.config.network.withdrawQueue, undefined));
  await ledgerOf(recorder).sums.writeDays([{ holder: EXCHANGE, end, sums }]);
}

async function send(method: string, params: unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { ok } = await fetch(devnet.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!ok) throw new Error(`${method} failed`);
}
