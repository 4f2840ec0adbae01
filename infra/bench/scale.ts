import { fork } from 'node:child_process';
import { once } from 'node:events';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { seedScale } from '../devnet/scale.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import type { LocalServer } from '../local/listen.ts';
import { terminalTelemetry } from '../local/terminal-telemetry.ts';
import { median, openContainer, senderOf } from './containers.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import { startRecordedChain } from './recorded-chain.ts';

/**
 * `npm run bench:scale`: lists of a network as large as the real one, each in its own process: read cold, read again once
 * the data is no longer fresh, and served by a container that has not seen it. The chain is 5 ms away.
 *
 * No more minipools can be created. 20,000 would be 67 calls of 30 M gas and an answer of 37 MB, which is not accepted
 * (lib/chain/upstream/http.ts): they would have to be read in several requests, and kept in parts.
 *
 * The chain's node runs on the same machine, and to read everything takes it longer than us. `alone ms` is the cold
 * answer with the node's own answers of an earlier run, 5 ms away, as if it had processors of its own and took no time.
 */

/** Besides those of the devnet's scenario. */
const SIZE = { stakers: 620, minipools: 1_900 };
const CHAIN_LATENCY_MS = 5;
/** More than the freshness of any list. */
const LATER_MS = 120_000;
const RUNS = 3;

const REQUESTS: [file: string, url: string][] = [
  ['minipools', '/minipools?limit=20'],
  ['stakers', '/stakers?limit=100'],
  ['stakers', '/stakers'],
  ['minipools', '/minipools?limit=100'],
  ['minipools', '/minipools?status=error'],
  ['minipools', '/minipools'],
  ['stakers/address', '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'],
  ['rewards/cycle', '/rewards/cycle'],
  ['metrics', '/metrics'],
];

/** What a process measured. */
interface Measurement {
  status: number;
  bytes: number;
  coldMs: number;
  cpuMs: number;
  /** A request with other parameters, answered from data that is already there. */
  nextMs: number;
  /** The first request again, when the data has to be reread. */
  refreshMs: number;
  /** The same request in a container that finds the data in the table. */
  hitMs: number;
  /** The size of the table by then. */
  tableBytes: number;
  /** Peak memory of the process, MB. */
  memory: number;
  detail?: string;
}

const [, , file, url] = process.argv;
if (file && url) await measure(file, url);
else await compare();

async function compare(): Promise<void> {
  console.log(`Starting a devnet with ${SIZE.stakers} additional stakers and ${SIZE.minipools} additional minipools …`);
  const devnet = await startDevnet({ live: false, historyDays: 1 });
  await seedScale(devnet, SIZE);
  const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);
  const recorded = await startRecordedChain(devnet.url, CHAIN_LATENCY_MS);

  console.log(`Chain latency ${CHAIN_LATENCY_MS} ms; medians of ${RUNS} processes.\n`);
  console.log(
    'request                  status  chain requests  refresh  cold ms  alone ms  cpu ms  refresh ms  next ms  hit ms      kB  table kB  memory MB',
  );
  for (const [file, url] of REQUESTS) {
    const runs = await measuredOften(RUNS, () => counted(chain, file, url));
    await measured(recorded, file, url);
    const alone = await measuredOften(RUNS, () => measured(recorded, file, url));
    const of = (name: keyof (typeof runs)[number]) => median(runs.map(({ [name]: figure }) => Number(figure)));
    const figures = [
      ...[of('coldRequests'), of('refreshRequests'), of('coldMs')],
      ...[median(alone.map(({ coldMs }) => coldMs)), of('cpuMs'), of('refreshMs')],
      ...[of('nextMs'), of('hitMs'), of('bytes') / 1_000, of('tableBytes') / 1_000, of('memory')],
    ].map((figure) => figure.toFixed(0));
    const widths = [16, 9, 9, 10, 8, 12, 9, 8, 8, 10, 11];
    console.log(
      url.slice(0, 24).padEnd(24),
      of('status'),
      figures.map((text, i) => text.padStart(widths[i] ?? 0)).join(''),
    );
    if (runs[0]?.detail) console.log(`  ${runs[0].detail}`);
  }
  await recorded.stop();
  await chain.stop();
  await devnet.stop();
}

async function measuredOften<T>(times: number, measureOnce: () => Promise<T>): Promise<T[]> {
  const runs: T[] = [];
  for (let run = 0; run < times; run++) runs.push(await measureOnce());
  return runs;
}

/** Measures in a process of its own, and counts what it asked the chain. */
async function counted(chain: CountingProxy, file: string, url: string) {
  chain.requests = 0;
  let coldRequests = 0;
  const measurement = await measured(chain, file, url, () => {
    coldRequests = chain.requests;
  });
  return { ...measurement, coldRequests, refreshRequests: chain.requests - coldRequests };
}

/** Measures in a process of its own. */
async function measured(chain: LocalServer, file: string, url: string, onCold = () => {}): Promise<Measurement> {
  const database = await startDynamoDB();
  const env = { ...process.env, ...database.env, RPC_URLS: chain.url };
  const child = fork(import.meta.filename, [file, url], { env });
  await once(child, 'message');
  onCold();
  child.send('go on');
  const [measurement] = (await once(child, 'message')) as [Measurement];
  await database.stop();
  return measurement;
}

async function measure(file: string, url: string): Promise<void> {
  const open = () => openContainer({}, terminalTelemetry);
  const container = open();
  const answer = senderOf(file, container, terminalTelemetry);
  const usedBefore = process.cpuUsage();
  const { result, ms } = await answer(url);
  const { statusCode, body } = result;
  const { user, system } = process.cpuUsage(usedBefore);
  process.send?.('cold');
  await once(process, 'message');

  const next = await answer(`${url}${url.includes('?') ? '&' : '?'}offset=1`);
  const { now } = Date;
  Date.now = () => now() + LATER_MS;
  const refresh = await answer(url);
  const hit = await senderOf(file, open(), terminalTelemetry)(url);
  let tableBytes = 0;
  for await (const { Items = [] } of paginateScan(
    { client: new DynamoDBClient() },
    { TableName: container.config.cacheTable },
  )) {
    for (const { body } of Items) tableBytes += body?.B?.byteLength ?? 0;
  }
  closeConnections();
  const measurement: Measurement = {
    status: statusCode,
    bytes: Buffer.byteLength(body),
    coldMs: ms,
    cpuMs: (user + system) / 1_000,
    nextMs: next.ms,
    refreshMs: refresh.ms,
    hitMs: hit.ms,
    tableBytes,
    memory: process.resourceUsage().maxRSS / 1_000,
    ...(statusCode !== 200 && { detail: JSON.parse(body).detail }),
  };
  process.send?.(measurement);
  process.disconnect();
}
