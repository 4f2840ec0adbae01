import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { openContainer, senderOf } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { writePast } from './holders-past.ts';
import { startMeter } from './meter.ts';

/**
 * `npm run bench:holder`: what it takes to answer for an exchange: an address with 300,000 flows over the protocol's 1,240
 * days, first and after 300 s. The chain is 30 ms away, the table 5 ms. Fails above the budget.
 */

const FLOWS = Number(process.argv[2] ?? 300_000);
const DAYS = 1_240;
const EXCHANGE = `0x${'ec'.repeat(20)}`;
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
await writePast(recorder, devnet.url, DAYS, [{ address: EXCHANGE, days: DAYS, flows: FLOWS }]);

const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string, TABLE_LATENCY_MS);
const table = await startCountingProxy(meter.url);
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const env = { ...database.env, RPC_URLS: chain.url, AWS_ENDPOINT_URL_DYNAMODB: table.url };
let isOver = false;
console.log(
  `${'endpoint'.padEnd(20)}${['', 'status', 'ms', 'chain', 'queries', 'units'].map((name) => name.padStart(9)).join('')}`,
);
for (const [file, url] of REQUESTS) {
  const context = openContainer(env, terminalTelemetry);
  const send = senderOf(file, context, terminalTelemetry);
  const { now } = Date;
  for (const visitor of ['first', 'later']) {
    if (visitor === 'later') Date.now = () => now() + LATER_MS;
    // All holders share them.
    await Promise.all([readCachedPools(context), readRecordedRates(context)]);
    meter.take();
    [chain.requests, table.queries] = [0, 0];
    const { ms, result } = await send(url);
    const { statusCode } = result;
    const { reads } = meter.take();
    const figures = [visitor, statusCode, ms.toFixed(0), chain.requests, table.queries, reads];
    console.log(file.padEnd(20) + figures.map((figure) => String(figure).padStart(9)).join(''));
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
