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
import type { Services } from '../../lib/api/services.ts';
import { type Runtime, runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import type { ScheduledHandler } from '../../lib/runtime/scheduled.ts';
import { connect } from '../devnet/rpc.ts';
import { buildSite } from '../site/site.ts';
import { newApp, newStack, PROD } from '../stack/template.ts';
import { atRest, type RunUse } from './at-rest.ts';
import { type Bench, print, startBench } from './measure.ts';
import { metricsIn } from './meter.ts';
import { edgePrice, passedOnPrice, type RequestUse } from './prices.ts';

/** The stages, as an operator would deploy them: `prod` with RPC providers of its own. */
const STAGES: Record<string, Record<string, string>> = { dev: {}, prod: { ...PROD, secret: 'staking-data/prod' } };
/** The fractions of requests that the edge answers by itself: for many addresses in many regions, and for few URLs. */
const EDGE_SHARES = [0.7, 0.99];

const bench = await startBench(100, 4);
await printStages(await measureRecorders(bench));
await bench.fill();
console.log(
  '\nUnits: DynamoDB request units. Last columns: dollars per million requests, by the share that CloudFront answers.',
);
print('', ['miss ms', 'units', 'hit ms', 'units', 'sent B', ...EDGE_SHARES.map((share) => `${100 * share} %`)]);
const prices: number[][] = [];
for (const endpoint of Object.values(ENDPOINTS)) {
  // The first run makes Node compile what all but the newest containers have compiled already.
  await bench.measure(endpoint);
  const { miss, hit } = await bench.measure(endpoint);
  // Refreshing an expired entry also takes a lease, whose update is charged for the whole item.
  miss.writes *= 2;
  const ofShares = EDGE_SHARES.map((share) => perMillion(miss, hit, share));
  prices.push(ofShares);
  print(endpoint.path, [
    ...[miss.ms.toFixed(0), miss.reads + miss.writes, hit.ms.toFixed(1), hit.reads + hit.writes, hit.sentBytes],
    ...ofShares.map((price) => price.toFixed(2)),
  ]);
}
const means = EDGE_SHARES.map((_, place) => prices.reduce((sum, of) => sum + (of[place] ?? 0), 0) / prices.length);
print('mean of all', ['', '', '', '', '', ...means.map((mean) => mean.toFixed(2))]);
await bench.stop();

/** Dollars for a million requests. The edge answers a share by itself; the others are misses. */
function perMillion(miss: RequestUse, hit: RequestUse, share: number): number {
  return 1e6 * (share * edgePrice(hit.sentBytes) + (1 - share) * passedOnPrice(miss));
}

/** Prints the costs at rest. */
async function printStages(uses: Record<string, RunUse>): Promise<void> {
  for (const [name, { ms, reads, writes, metrics }] of Object.entries(uses))
    console.log(`\n${name}: ${ms.toFixed(0)} ms, ${reads} read and ${writes} write units, ${metrics.size} metrics`);
  const site = await buildSite();
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
  for (const item of bills.at(-1)?.keys() ?? []) {
    const dollars = bills.map((bill) => (bill.get(item) ?? 0).toFixed(2));
    print(item, dollars);
  }
}

/** Resources of one run of each recorder after the backfill, by its description in the stack. The ledger's needs two providers. */
async function measureRecorders({ devnet, env, open, metered }: Bench): Promise<Record<string, RunUse>> {
  /** The ledger's recorder stays for a part of its two minutes. */
  const twoMinutes = (ends = performance.now() + 120_000) =>
    ({ getRemainingTimeInMillis: () => ends - performance.now() }) as Context;
  const rpc = connect(devnet.url);
  const { timestamp } = (await rpc.send('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
  const start = String(Number(timestamp) - 3_600);
  const RPC_URLS = `${env.RPC_URLS},${devnet.url}`;
  const context = open({ ...env, RPC_URLS, HISTORY_START: start, HOURLY_START: start });
  const measureRun = async (create: (runtime: Runtime<Services>) => ScheduledHandler): Promise<RunUse> => {
    const run = create(runtimeWith(context));
    const { output, ...used } = await metered(() => run({} as ScheduledEvent, twoMinutes()));
    return { ...used, metrics: metricsIn(output) };
  };
  // There is one hour to record and, in the blocks of four minutes that are searched again, no event.
  await rpc.send('anvil_mine', '0x80', '0x2');
  rpc.close();
  await measureRun(createLedgerRecorder);
  return {
    "Records the protocol's events": await measureRun(createLedgerRecorder),
    'Records the points of the history endpoints': await measureRun(createRecorder),
  };
}
