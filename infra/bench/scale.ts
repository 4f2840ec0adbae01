import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ENDPOINTS } from '../../functions/index.ts';
import { readConfig } from '../../lib/config.ts';
import { createContext } from '../../lib/context.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { closeConnections } from '../../lib/upstream/http.ts';
import { startDevnet } from '../local/devnet/devnet.ts';
import { seedScale } from '../local/devnet/scale.ts';
import { startDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';
import { terminalTelemetry } from '../local/telemetry.ts';
import { startCountingProxy } from './counting-proxy.ts';

/**
 * `npm run bench:scale`: lists of a network far larger than the real one, each read cold by a process of its own. Every batch of
 * calls that fits the gas cap is one request to the chain, 5 ms away.
 */

const STAKERS = 5_000;
const MINIPOOLS = 20_000;
const CHAIN_LATENCY_MS = 5;

const REQUESTS: [file: string, url: string][] = [
  ['stakers', '/stakers?limit=100'],
  ['stakers', '/stakers'],
  ['minipools', '/minipools?limit=100'],
  ['minipools', '/minipools?status=error'],
  ['minipools', '/minipools'],
  ['stakers/address', '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'],
  ['rewards/cycle', '/rewards/cycle'],
];

/** What a process found out about its one cold request. */
interface Measurement {
  status: number;
  bytes: number;
  coldMs: number;
  cpuMs: number;
  /** A request with other parameters, made from what is known by then. */
  nextMs: number;
  /** The most this process ever took, MB. */
  memory: number;
  detail?: string;
}

const [, , file, url] = process.argv;
if (file && url) process.send?.(await measure(file, url));
else await compare();

async function compare(): Promise<void> {
  console.log('Starting the devnet …');
  const devnet = await startDevnet({ live: false, historyDays: 1 });
  console.log(`Adding ${STAKERS} stakers and ${MINIPOOLS} minipools …`);
  await seedScale(devnet, { stakers: STAKERS, minipools: MINIPOOLS });
  const chain = await startCountingProxy(devnet.url, CHAIN_LATENCY_MS);

  console.log(`Chain ${CHAIN_LATENCY_MS} ms away.\n`);
  console.log(`${'request'.padEnd(24)} status  chain requests  cold ms  cpu ms  next ms      kB  memory MB`);
  for (const [file, url] of REQUESTS) {
    chain.requests = 0;
    const child = fork(import.meta.filename, [file, url], { env: { ...process.env, RPC_URLS: chain.url } });
    const [{ status, bytes, coldMs, cpuMs, nextMs, memory, detail }] = (await once(child, 'message')) as [Measurement];
    const figures = [chain.requests, coldMs, cpuMs, nextMs, bytes / 1_000, memory].map((figure) => figure.toFixed(0));
    const widths = [16, 9, 8, 9, 8, 11];
    console.log(url.slice(0, 24).padEnd(24), status, figures.map((text, i) => text.padStart(widths[i] ?? 0)).join(''));
    if (detail) console.log(`  ${detail}`);
  }
  await chain.stop();
  await devnet.stop();
}

async function measure(file: string, url: string): Promise<Measurement> {
  const database = await startDynamoDB();
  Object.assign(process.env, database.env);
  const endpoint = ENDPOINTS[file] as Endpoint;
  const context = createContext(
    readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' }),
    terminalTelemetry,
  );
  const handler = createHandler(endpoint, { telemetry: terminalTelemetry, context: async () => context });
  const answer = async (url: string) => {
    const started = performance.now();
    const response = await handler(proxyEvent(endpoint.path, { method: 'GET', url, headers: {} }), lambdaContext());
    return { ...response, ms: performance.now() - started };
  };
  const usedBefore = process.cpuUsage();
  const { statusCode, body, ms } = await answer(url);
  const { user, system } = process.cpuUsage(usedBefore);
  const next = await answer(`${url}${url.includes('?') ? '&' : '?'}offset=1`);
  closeConnections();
  await database.stop();
  return {
    status: statusCode,
    bytes: Buffer.byteLength(body),
    coldMs: ms,
    cpuMs: (user + system) / 1_000,
    nextMs: next.ms,
    memory: process.resourceUsage().maxRSS / 1_000,
    ...(statusCode !== 200 && { detail: JSON.parse(body).detail }),
  };
}
