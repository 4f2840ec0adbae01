import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Source } from '../../lib/api/definition.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import type { Context } from '../../lib/context/context.ts';
import { fill } from '../../lib/history/recorder.ts';
import { boundariesOf } from '../../lib/history/series.ts';
import { historyOf } from '../../lib/history/store.ts';
import { LedgerRecorder, type LedgerRunReport } from '../../lib/ledger/recorder.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { knownPools } from '../../lib/prices/current.ts';
import { powertoolsTelemetry } from '../../lib/runtime/telemetry.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { listen } from '../local/listen.ts';
import { terminalTelemetry } from '../local/telemetry.ts';
import { buildSite } from '../site/site.ts';
import {
  DIRECT_REQUESTS_PER_ADDRESS,
  LIST_PATHS,
  LISTS_PER_ADDRESS,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_ENDPOINT,
} from '../stack/limits.ts';
import { clientOf, openContainer } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';

/**
 * `npm run cost`: what a million requests to each endpoint cost on AWS, from the milliseconds, capacity units, log
 * bytes and body bytes that a miss and a hit take here. The chain and the table get the latency they have from Lambda.
 */

/** On demand, without free tier, us-east-1, 2026-11. In dollars. */
const PRICES = {
  /** REST API, a request, below 333 million a month. */
  apiGateway: 3.5e-6,
  /** Web ACL, a request, with rules that cost nothing more. */
  waf: 0.6e-6,
  lambdaRequest: 0.2e-6,
  /** arm64, a gigabyte for a second. */
  lambdaGBSecond: 0.0000133334,
  /** DynamoDB, a read and a write request unit. */
  read: 0.125e-6,
  write: 0.625e-6,
  /** CloudWatch Logs, a byte taken in. */
  logByte: 0.5e-9,
  /** To the internet, a byte, below 10 TB a month. To CloudFront it costs nothing. */
  sentByte: 0.09e-9,
  /** CloudFront in Europe and North America: an HTTPS request with its function, and a byte below 10 TB a month. */
  edgeRequest: 1.1e-6,
  edgeSentByte: 0.085e-9,
};
/** A line of the edge's log. */
const EDGE_LOG_BYTES = 400;
/** The fraction of requests that the edge answers by itself. */
const EDGE_HITS = 0.99;
/** Mainnet's minipools, 1,949 of 688 bytes (2026-11). */
const MAINNET_LIST_BYTES = 1_340_000;
/** Pages of 1,000 hours of `/metrics/history` and of 1,000 events, uncompressed (devnet, 2026-11). */
const LONG_HISTORY_BYTES = 245_000;
const LONG_ACTIVITY_BYTES = 271_000;
const MONTH_SECONDS = 30 * 86_400;
/** How many requests a month the throttle lets through to one endpoint. It is a target: a few more may pass. */
const THROTTLED_PER_MONTH = REQUESTS_PER_ENDPOINT * MONTH_SECONDS;

const CHAIN_LATENCY_MS = 100;
const TABLE_LATENCY_MS = 4;
const MEMORY_GB = 1;
/** Lambda's own START, END and REPORT, and the line of API Gateway's access log. */
const PLATFORM_LOG_BYTES = 700;
const HIT_RATIOS = [0.5, 0.9, 0.99];

interface Use {
  ms: number;
  reads: number;
  writes: number;
  logBytes: number;
  sentBytes: number;
}

/** A proxy in front of the engine that makes DynamoDB's answers say what they cost. */
async function startMeter(upstream: string) {
  const used = { reads: 0, writes: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await wait(TABLE_LATENCY_MS);
    const sent = { ...JSON.parse(Buffer.concat(chunks).toString()), ReturnConsumedCapacity: 'TOTAL' };
    const { 'content-length': _, host: __, connection: ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(upstream, { method: 'POST', headers, body: JSON.stringify(sent) });
    const body = await answer.text();
    // For a batch, a list with one element per table.
    const consumed: { CapacityUnits: number }[] = [JSON.parse(body).ConsumedCapacity ?? []].flat();
    const units = consumed.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    used[/\.(Get|Query)/.test(String(headers['x-amz-target'])) ? 'reads' : 'writes'] += units;
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  return {
    ...(await listen(server)),
    /** The units used since the last call. */
    take() {
      const taken = { ...used };
      Object.assign(used, { reads: 0, writes: 0 });
      return taken;
    },
  };
}

/** Runs `work` and counts the bytes that it writes to standard output, which are discarded. */
async function countingOutput<Result>(work: () => Promise<Result>): Promise<{ result: Result; bytes: number }> {
  const { write } = process.stdout;
  let bytes = 0;
  process.stdout.write = (chunk: string | Uint8Array) => {
    bytes += Buffer.byteLength(chunk);
    return true;
  };
  try {
    return { result: await work(), bytes };
  } finally {
    process.stdout.write = write;
  }
}

/** What a miss and a hit of a file's endpoint use, each in a new container. */
async function measure(file: string, reads: readonly Source[]): Promise<{ miss: Use; hit: Use }> {
  const database = await startDynamoDB();
  const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  const env = { ...database.env, ...upstreams, AWS_ENDPOINT_URL_DYNAMODB: meter.url };
  const recorder = openContainer({ ...database.env, ...upstreams, RPC_URLS: devnet.url }, terminalTelemetry);
  await knownPools(recorder);
  if (reads.includes('history')) await recordMonth(recorder);
  if (reads.includes('ledger')) await recordLedger(recorder);
  const request = async (): Promise<Use> => {
    const send = clientOf(file, openContainer(env, telemetry), telemetry, { 'accept-encoding': 'gzip' });
    meter.take();
    const { result: answer, bytes } = await countingOutput(send);
    const { body, isBase64Encoded, headers } = answer.result;
    return {
      ms: answer.ms,
      ...meter.take(),
      logBytes: bytes + PLATFORM_LOG_BYTES,
      sentBytes: Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') + JSON.stringify(headers).length,
    };
  };
  const first = await request();
  // Refreshing an expired entry also takes a lease, whose update is charged for the whole item.
  const miss = { ...first, writes: first.writes * 2 };
  const hit = await request();
  await meter.stop();
  await database.stop();
  return { miss, hit };
}

/** Records the 31 points that a history endpoint answers by default. */
async function recordMonth(context: Context): Promise<void> {
  const { chain } = context;
  const head = await chain.head();
  const boundaries = boundariesOf('1d', head.timestamp - 31 * 86_400, head.timestamp);
  const recording = { chain, store: historyOf(context), telemetry: terminalTelemetry };
  await fill(recording, head, boundaries, { parallel: 4, mayGoOn: () => true });
}

/** All events of the devnet. */
function recordLedger(context: Context): Promise<LedgerRunReport> {
  return new LedgerRecorder(context.chain, ledgerOf(context)).run({ mayGoOn: () => true });
}

/** What it takes to write the devnet's ledger: its events, and the units per event. */
async function measureLedger(): Promise<{ events: number; units: number }> {
  const database = await startDynamoDB();
  const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  const env = { ...database.env, RPC_URLS: devnet.url, AWS_ENDPOINT_URL_DYNAMODB: meter.url };
  const { added } = await recordLedger(openContainer({ ...upstreams, ...env }, terminalTelemetry));
  const { writes } = meter.take();
  await meter.stop();
  await database.stop();
  return { events: added, units: writes / added };
}

/** Dollars for one request. */
function price({ ms, reads, writes, logBytes, sentBytes }: Use): number {
  const { apiGateway, waf, lambdaRequest, lambdaGBSecond, read, write, logByte, sentByte } = PRICES;
  const lambda = lambdaRequest + (Math.ceil(ms) / 1_000) * MEMORY_GB * lambdaGBSecond;
  return apiGateway + waf + lambda + reads * read + writes * write + logBytes * logByte + sentBytes * sentByte;
}

/** Dollars for one request that the edge answers by itself. */
function edgePrice(sentBytes: number): number {
  const { edgeRequest, waf, logByte, edgeSentByte } = PRICES;
  return edgeRequest + waf + EDGE_LOG_BYTES * logByte + sentBytes * edgeSentByte;
}

/** Dollars for one request that the edge passes on. */
const passedOn = (use: Use) => edgePrice(use.sentBytes) + price({ ...use, sentBytes: 0 });

/** What a million requests cost at a given fraction of hits. */
const perMillion = (miss: Use, hit: Use, ratio: number) => 1e6 * ((1 - ratio) * price(miss) + ratio * price(hit));

console.log('Starting the devnet …');
process.env.POWERTOOLS_SERVICE_NAME = 'staking-data-dev';
const telemetry = powertoolsTelemetry();
const devnet = await startDevnet({ live: false });
const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
const upstreams = { RPC_URLS: chain.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };

console.log(
  `Chain latency ${CHAIN_LATENCY_MS} ms, table latency ${TABLE_LATENCY_MS} ms. Hits come from the table; those from a container's memory cost less.`,
);
console.log('Units: DynamoDB request units. Last columns: dollars per million requests, by the share of hits.\n');
console.log(
  'endpoint                     miss ms   units    hit ms   units    sent B     50 %     90 %     99 % behind CloudFront',
);
const totals = HIT_RATIOS.map(() => 0);
const measured = new Map<string, { miss: Use; hit: Use }>();
for (const [file, { path, reads = [] }] of Object.entries(ENDPOINTS)) {
  // The first run makes Node compile what all but the newest containers have compiled already.
  await measure(file, reads);
  const { miss, hit } = await measure(file, reads);
  const costs = HIT_RATIOS.map((ratio) => perMillion(miss, hit, ratio));
  for (const [index, cost] of costs.entries()) totals[index] = (totals[index] as number) + cost;
  const behind = 1e6 * (EDGE_HITS * edgePrice(hit.sentBytes) + (1 - EDGE_HITS) * passedOn(miss));
  measured.set(file, { miss, hit });
  const figures = [
    miss.ms.toFixed(0),
    miss.reads + miss.writes,
    hit.ms.toFixed(1),
    hit.reads + hit.writes,
    hit.sentBytes,
  ];
  print(path, [...figures, ...costs.map((cost) => cost.toFixed(2)), behind.toFixed(2)]);
}
const count = Object.keys(ENDPOINTS).length;
print('mean of all', ['', '', '', '', '', ...totals.map((total) => (total / count).toFixed(2))]);
await printAbuse();

const ledger = await measureLedger();
console.log(
  `\nLedger: ${ledger.units.toFixed(2)} write units per event (${ledger.events} on the devnet), ${(1e6 * ledger.units * PRICES.write).toFixed(2)} dollars per million events.`,
);

closeConnections();
await chain.stop();
await api.stop();
await devnet.stop();

/**
 * What floods cost in a month, in dollars: as much of each kind as the firewalls let one address and twenty send, of
 * which no more reaches the API than the throttle of the kind's endpoints allows. Nothing limits how much more can be
 * sent only to be blocked.
 */
async function printAbuse(): Promise<void> {
  const of = (file: string) => measured.get(file) as { miss: Use; hit: Use };
  // Whoever floods does not ask for gzip.
  const site = await buildSite();
  const longest = (start: string) =>
    Math.max(...site.filter(({ path }) => path.startsWith(start)).map(({ body }) => body.length));
  const uses = [...measured.values()];
  const dearest = uses.map(({ miss }) => miss).sort((a, b) => price(b) - price(a))[0] as Use;
  // A thousand hours with all their fields: the longest range there can be.
  const longHistory = { ...of('metrics/history').miss, reads: 80, sentBytes: LONG_HISTORY_BYTES };
  const files = Object.keys(ENDPOINTS);
  const byAddress = files.filter((file) => ENDPOINTS[file]?.path.includes('{address}')).length;
  const histories = files.filter((file) => file.endsWith('history')).length;
  const edgeAlone = Number.POSITIVE_INFINITY;
  const kinds: [name: string, perFiveMinutes: number, each: number, endpoints: number][] = [
    ['a short answer that the edge has cached', REQUESTS_PER_ADDRESS, edgePrice(of('prices').hit.sentBytes), edgeAlone],
    ['addresses that stake nothing', REQUESTS_PER_ADDRESS, passedOn(of('stakers/address').hit), byAddress],
    ['histories of 1,000 points, all different', REQUESTS_PER_ADDRESS, passedOn(longHistory), histories],
    ['the longest list, uncompressed', LISTS_PER_ADDRESS, edgePrice(MAINNET_LIST_BYTES), edgeAlone],
    ['a page of 1,000 events that the edge has', REQUESTS_PER_ADDRESS, edgePrice(LONG_ACTIVITY_BYTES), edgeAlone],
    ['the OpenAPI document', REQUESTS_PER_ADDRESS, edgePrice(longest('openapi.json')), edgeAlone],
    ['the reference page', REQUESTS_PER_ADDRESS, edgePrice(longest('docs')), edgeAlone],
    ['directly to the API, dearest miss', DIRECT_REQUESTS_PER_ADDRESS, price(dearest), 1],
  ];
  console.log('\nDollars per month of a flood               1 address  20 addresses');
  for (const [kind, perFiveMinutes, each, endpoints] of kinds) {
    const dollars = [1, 20].map((addresses) => {
      const asked = (addresses * perFiveMinutes * MONTH_SECONDS) / 300;
      return each * Math.min(asked, endpoints * THROTTLED_PER_MONTH);
    });
    console.log(kind.padEnd(40), ...dollars.map((amount) => amount.toFixed(0).padStart(11)));
  }
  const sum = (prices: number[]) => prices.reduce((total, each) => total + each * THROTTLED_PER_MONTH, 0).toFixed(0);
  const list = price({ ...of('minipools').hit, sentBytes: MAINNET_LIST_BYTES });
  console.log(
    `\nDollars per month with endpoints constantly at their throttle of ${REQUESTS_PER_ENDPOINT} requests a second:`,
  );
  console.log(`all ${files.length}, every request a hit: ${sum(uses.map(({ hit }) => price(hit)))}`);
  console.log(`all ${files.length}, every request a miss: ${sum(uses.map(({ miss }) => price(miss)))}`);
  console.log(`the one with the dearest miss: ${sum([price(dearest)])}`);
  console.log(`the ${LIST_PATHS.length} lists, each the longest and uncompressed: ${sum(LIST_PATHS.map(() => list))}`);
  console.log(`A million blocked requests: ${(1e6 * PRICES.waf).toFixed(2)} dollars.`);
}

function print(path: string, figures: readonly (string | number)[]): void {
  console.log(path.padEnd(26), ...figures.map((figure) => String(figure).padStart(8)));
}
