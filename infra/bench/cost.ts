/**
 * `npm run cost`: the costs of each stage on AWS at rest, and of a million requests to each endpoint. From the
 * templates, and from the milliseconds, capacity units, log bytes and body bytes that functions use here. The chain and
 * the table get the latency they have from Lambda.
 */

import { rmSync } from 'node:fs';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { createRecorder } from '../../functions/history-recorder.ts';
import { ENDPOINTS } from '../../functions/index.ts';
import { createLedgerRecorder } from '../../functions/ledger-recorder.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Services } from '../../lib/api/services.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { type Runtime, runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import type { ScheduledHandler } from '../../lib/runtime/scheduled.ts';
import { powertoolsTelemetry } from '../../lib/runtime/telemetry.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal.ts';
import { buildSite } from '../site/site.ts';
import { newApp, newStack, PROD } from '../stack/template.ts';
import { atRest, type RunUse } from './at-rest.ts';
import { clientOf, mineQuietly, openContainer, recordHistory, recordLedger, startUpstreams } from './containers.ts';
import { metricsIn, startMeter, withOutput } from './meter.ts';
import { ACCESS_LOG_BYTES, edgePrice, LAMBDA_LOG_BYTES, passedOnPrice, type RequestUse } from './prices.ts';

/** The stages, as an operator would deploy them: `prod` with RPC providers of its own. */
const STAGES: Record<string, Record<string, string>> = { dev: {}, prod: { ...PROD, secret: 'staking-data/prod' } };
/** The fractions of requests that the edge answers by itself: for many addresses in many regions, and for few URLs. */
const EDGE_SHARES = [0.7, 0.99];
const CHAIN_LATENCY_MS = 100;
const TABLE_LATENCY_MS = 4;

/** Measures the resources that a miss and a hit of an endpoint use, each in a new container. */
async function measure(endpoint: Endpoint) {
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

/** Dollars for a million requests of which the edge answers a share by itself, and passes on the others, each a miss. */
const perMillion = ({ miss, hit }: { miss: RequestUse; hit: RequestUse }, share: number) =>
  1e6 * (share * edgePrice(hit.sentBytes) + (1 - share) * passedOnPrice(miss));

process.env.POWERTOOLS_SERVICE_NAME = 'staking-data-dev';
const telemetry = powertoolsTelemetry();
const { devnetUrl, env: upstreams, stop: stopUpstreams } = await startUpstreams(CHAIN_LATENCY_MS);
const site = await buildSite();

console.log(
  `Chain latency ${CHAIN_LATENCY_MS} ms, table latency ${TABLE_LATENCY_MS} ms. Units: DynamoDB request units.`,
);
console.log('Last columns: dollars per million requests, by the share that CloudFront answers.\n');
print('', ['miss ms', 'units', 'hit ms', 'units', 'sent B', ...EDGE_SHARES.map((share) => `${100 * share} %`)]);
const measured: Awaited<ReturnType<typeof measure>>[] = [];
for (const endpoint of Object.values(ENDPOINTS)) {
  // The first run makes Node compile what all but the newest containers have compiled already.
  await measure(endpoint);
  const use = await measure(endpoint);
  measured.push(use);
  const { miss, hit } = use;
  print(endpoint.path, [
    ...[miss.ms.toFixed(0), miss.reads + miss.writes, hit.ms.toFixed(1), hit.reads + hit.writes, hit.sentBytes],
    ...EDGE_SHARES.map((share) => perMillion(use, share).toFixed(2)),
  ]);
}
const mean = (share: number) => measured.reduce((sum, use) => sum + perMillion(use, share), 0) / measured.length;
print('mean of all', ['', '', '', '', '', ...EDGE_SHARES.map((share) => mean(share).toFixed(2))]);
await printStages();
await stopUpstreams();

/** Prints the costs at rest, with two providers, as the ledger needs them. */
async function printStages(): Promise<void> {
  const tables = await startTables();
  tables.env.RPC_URLS += `,${devnetUrl}`;
  const uses = await measureRecorders(tables);
  await tables.stop();
  for (const [name, { ms, reads, writes, metrics }] of Object.entries(uses))
    console.log(`\n${name}: ${ms.toFixed(0)} ms, ${reads} read and ${writes} write units, ${metrics.size} metrics`);
  const bills = Object.values(STAGES).map((options) => {
    const app = newApp();
    const { artifactId } = newStack(app, options, site);
    const { template } = app.synth().getStackArtifact(artifactId);
    rmSync(app.outdir, { recursive: true });
    return atRest(template, uses);
  });
  console.log('\nDollars a month at rest');
  print('', Object.keys(STAGES));
  // The last stage has everything.
  for (const item of bills.at(-1)?.keys() ?? [])
    print(
      item,
      bills.map((bill) => (bill.get(item) ?? 0).toFixed(2)),
    );
}

function print(name: string, figures: readonly (string | number)[]): void {
  console.log(name.padEnd(32), ...figures.map((figure) => String(figure).padStart(8)));
}

/** Resources of one run of each recorder after the backfill, by the function's description in the stack. */
async function measureRecorders({
  env,
  meter,
}: Awaited<ReturnType<typeof startTables>>): Promise<Record<string, RunUse>> {
  /** The ledger's recorder stays for a part of its two minutes. */
  const twoMinutes = (ends = performance.now() + 120_000) =>
    ({ getRemainingTimeInMillis: () => ends - performance.now() }) as Context;
  const newest = (await openContainer(env, terminalTelemetry).chain.head()).timestamp;
  const context = openContainer(
    { ...env, HISTORY_START: String(newest - 3_600), HOURLY_START: String(newest - 3_600) },
    telemetry,
  );
  const measureRun = async (create: (runtime: Runtime<Services>) => ScheduledHandler): Promise<RunUse> => {
    const run = create(runtimeWith(context));
    meter.take();
    const started = performance.now();
    const { output } = await withOutput(() => run({} as ScheduledEvent, twoMinutes()));
    const ms = performance.now() - started;
    return { ms, ...meter.take(), logBytes: output.length + LAMBDA_LOG_BYTES, metrics: metricsIn(output) };
  };
  // There is one hour to record and, in the blocks that are searched again, no event.
  await mineQuietly(devnetUrl);
  await measureRun(createLedgerRecorder);
  const ledger = await measureRun(createLedgerRecorder);
  const history = await measureRun(createRecorder);
  return {
    'Records the points of the history endpoints': history,
    "Records the protocol's events": ledger,
  };
}
