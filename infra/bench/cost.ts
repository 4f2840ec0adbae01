/**
 * `npm run cost`: the costs of each stage on AWS at rest, and of a million requests to each endpoint. From the
 * templates, and from the milliseconds, capacity units, log bytes and body bytes that functions use here. The chain and
 * the table get the latency they have from Lambda.
 */

import { rmSync } from 'node:fs';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { powertoolsTelemetry } from '../../lib/runtime/telemetry.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { buildSite } from '../site/site.ts';
import { newApp, newStack, PROD } from '../stack/template.ts';
import { atRest, type RunUse } from './at-rest.ts';
import { clientOf, openContainer, recordHistory, recordLedger, startUpstreams } from './containers.ts';
import { startMeter, withOutput } from './meter.ts';
import {
  ACCESS_LOG_BYTES,
  apiPrice,
  edgePrice,
  LAMBDA_LOG_BYTES,
  PRICES,
  passedOnPrice,
  type RequestUse,
} from './prices.ts';
import { measureRecorders } from './recorder-use.ts';

interface Measured {
  miss: RequestUse;
  hit: RequestUse;
}

/** The stages, as an operator would deploy them: `prod` with RPC providers of its own. */
const STAGES: Record<string, Record<string, string>> = { dev: {}, prod: { ...PROD, secret: 'staking-data/prod' } };
/** The fraction of requests that the edge answers by itself. */
const EDGE_HITS = 0.99;
const CHAIN_LATENCY_MS = 100;
const TABLE_LATENCY_MS = 4;
const HIT_RATIOS = [0.5, 0.9, 0.99];

/** Measures the resources that a miss and a hit of an endpoint use, each in a new container. */
async function measure(endpoint: Endpoint): Promise<Measured> {
  const { reads = [] } = endpoint;
  const { env, meter, stop } = await startTables();
  const recorder = openContainer({ ...env, RPC_URLS: devnetUrl }, terminalTelemetry);
  await readCachedPools(recorder);
  // As many points as a history endpoint answers by default.
  if (reads.includes('history')) await recordHistory(recorder, '1d', 31);
  if (reads.includes('ledger')) await recordLedger(recorder);
  const request = async (): Promise<RequestUse> => {
    const send = clientOf(endpoint, openContainer(env, telemetry), telemetry, { 'accept-encoding': 'gzip' });
    meter.take();
    const { result: answer, output } = await withOutput(send);
    const { body, isBase64Encoded, headers } = answer.result;
    return {
      ms: answer.ms,
      ...meter.take(),
      logBytes: output.length + LAMBDA_LOG_BYTES + ACCESS_LOG_BYTES,
      sentBytes: Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') + JSON.stringify(headers).length,
    };
  };
  const first = await request();
  // Refreshing an expired entry also takes a lease, whose update is charged for the whole item.
  const miss = { ...first, writes: first.writes * 2 };
  const hit = await request();
  await stop();
  return { miss, hit };
}

/** Empty tables whose use is measured, with the environment of a container that uses them. */
async function startTables() {
  const database = await startDynamoDB();
  const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string, TABLE_LATENCY_MS);
  const env = { ...database.env, ...upstreams, AWS_ENDPOINT_URL_DYNAMODB: meter.url };
  const stop = async () => {
    await meter.stop();
    await database.stop();
  };
  return { env, meter, stop };
}

/** Measures a write of the devnet's ledger: the number of events, and the write units per event. */
async function measureLedger(): Promise<{ events: number; units: number }> {
  const { env, meter, stop } = await startTables();
  const { added } = await recordLedger(openContainer({ ...env, RPC_URLS: devnetUrl }, terminalTelemetry));
  const { writes } = meter.take();
  await stop();
  return { events: added, units: writes / added };
}

/** Dollars for a million requests to the API itself, at a given fraction of hits. */
const perMillion = ({ miss, hit }: Measured, ratio: number) =>
  1e6 * ((1 - ratio) * apiPrice(miss) + ratio * apiPrice(hit));
/** Dollars for a million requests behind CloudFront. Its misses reach the API. */
const perMillionBehindEdge = ({ miss, hit }: Measured) =>
  1e6 * (EDGE_HITS * edgePrice(hit.sentBytes) + (1 - EDGE_HITS) * passedOnPrice(miss));

process.env.POWERTOOLS_SERVICE_NAME = 'staking-data-dev';
const telemetry = powertoolsTelemetry();
const { devnetUrl, env: upstreams, stop: stopUpstreams } = await startUpstreams(CHAIN_LATENCY_MS);
const site = await buildSite();

console.log(
  `Chain latency ${CHAIN_LATENCY_MS} ms, table latency ${TABLE_LATENCY_MS} ms. Hits come from the table; those from a container's memory cost less.`,
);
console.log('Units: DynamoDB request units. Last columns: dollars per million requests, by the share of hits.\n');
console.log(
  'endpoint                     miss ms   units    hit ms   units    sent B     50 %     90 %     99 % behind CloudFront',
);
const measured = new Map<string, Measured>();
for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
  // The first run makes Node compile what all but the newest containers have compiled already.
  await measure(endpoint);
  const use = await measure(endpoint);
  measured.set(file, use);
  const { miss, hit } = use;
  const figures = [miss.ms.toFixed(0), miss.reads + miss.writes, hit.ms.toFixed(1), hit.reads + hit.writes];
  print(endpoint.path, [
    ...figures,
    hit.sentBytes,
    ...[...HIT_RATIOS.map((ratio) => perMillion(use, ratio)), perMillionBehindEdge(use)].map(cents),
  ]);
}
const mean = (price: (use: Measured) => number) =>
  [...measured.values()].reduce((sum, use) => sum + price(use), 0) / measured.size;
const means = [...HIT_RATIOS.map((ratio) => mean((use) => perMillion(use, ratio))), mean(perMillionBehindEdge)];
print('mean of all', ['', '', '', '', '', ...means.map(cents)]);
const ledger = await measureLedger();
console.log(
  `\nLedger: ${ledger.units.toFixed(2)} write units per event (${ledger.events} on the devnet), ${(1e6 * ledger.units * PRICES.write).toFixed(2)} dollars per million events.`,
);
const tables = await startTables();
const templates = readTemplates(STAGES);
printStages(await measureRecorders(devnetUrl, tables, telemetry));
await tables.stop();

await stopUpstreams();

function printStages(uses: Record<string, RunUse>): void {
  for (const [name, { ms, reads, writes, metrics }] of Object.entries(uses)) {
    console.log(`\n${name}: ${ms.toFixed(0)} ms, ${reads} read and ${writes} write units, ${metrics.size} metrics`);
  }
  const bills = templates.map((template) => atRest(template, uses));
  const items = new Set(bills.flatMap((bill) => [...bill.keys()]).filter((item) => item !== 'total'));
  console.log('\nDollars a month at rest');
  print('', Object.keys(STAGES));
  for (const item of [...items, 'total'])
    print(
      item,
      bills.map((bill) => cents(bill.get(item) ?? 0)),
    );
  const behindEdge = mean(perMillionBehindEdge);
  print('a million requests', [behindEdge - 1e6 * PRICES.waf, behindEdge].map(cents));
}

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
function readTemplates(stages: typeof STAGES): any[] {
  return Object.values(stages).map((options) => {
    const app = newApp();
    const { artifactId } = newStack(app, options, site);
    const { template } = app.synth().getStackArtifact(artifactId);
    rmSync(app.outdir, { recursive: true });
    return template;
  });
}

function cents(dollars: number): string {
  return dollars.toFixed(2);
}

function print(name: string, figures: readonly (string | number)[], width = 26): void {
  console.log(name.padEnd(width), ...figures.map((figure) => String(figure).padStart(8)));
}
