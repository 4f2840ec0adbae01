import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { createServices, type Services } from '../../lib/api/services.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { fill } from '../../lib/history/record-history.ts';
import { type Interval, listBoundaries } from '../../lib/history/series.ts';
import { LedgerRecorder, type LedgerRunReport } from '../../lib/ledger/record-ledger.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import type { Limits } from '../../lib/runtime/context.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';
import { DAY } from '../../lib/values/durations.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { connect } from '../devnet/rpc.ts';
import { useDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';
import { DEVNET_LIMITS } from '../local/system.ts';
import { startCountingProxy } from './counting-proxy.ts';

/** Environment variables that point at the upstreams and tables. */
type Env = Record<string, string>;

/** More than a busy machine needs: a request that was given up would be counted again, and a bench ends with an answer that fails. */
const LIMITS: Limits = { ...DEVNET_LIMITS, cacheTableMs: 5_000, durableTableMs: 10_000 };

/** Starts a devnet that stands still, so many milliseconds away; `env` points at it. */
export async function startUpstreams(latencyMs: number) {
  console.log('Starting the devnet …');
  const devnet = await startDevnet({ live: false });
  const api = await startAvalancheApi(devnet);
  const chain = await startCountingProxy(devnet.url, latencyMs);
  return {
    devnetUrl: devnet.url,
    chain,
    env: { RPC_URLS: chain.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl },
    async stop() {
      closeConnections();
      for (const part of [chain, api, devnet]) await part.stop();
    },
  };
}

/** Mines empty blocks for four minutes, longer than the ledger's recorder searches again. */
export async function mineQuietly(devnetUrl: string): Promise<void> {
  const devnet = connect(devnetUrl);
  await devnet.send('anvil_mine', '0x80', '0x2');
  devnet.close();
}

/** A new container on the devnet: it remembers nothing yet. */
export function openContainer(env: Env, telemetry: Telemetry): Services {
  useDynamoDB(env);
  const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
  return createServices(config, telemetry, { limits: LIMITS });
}

export function recordLedger(context: Services): Promise<LedgerRunReport> {
  return new LedgerRecorder(context.chain, context.ledger).run({ mayGoOn: () => true });
}

/** Records points of the newest days in the container's tables. */
export async function recordHistory(context: Services, interval: Interval, days: number): Promise<void> {
  const head = await context.chain.head();
  const boundaries = listBoundaries(interval, head.timestamp - days * DAY, head.timestamp);
  await fill(context, head, boundaries, { mayGoOn: () => true });
}

/** Sends an endpoint's example request to its handler in that container. Throws unless the answer is a 200. */
export function clientOf(
  endpoint: Endpoint,
  context: Services,
  telemetry: Telemetry,
  headers: Record<string, string> = {},
) {
  const { path, exampleRequest: url } = endpoint;
  const handler = createHandler(endpoint, { ...runtimeWith(context), telemetry });
  return async () => {
    const event = proxyEvent(path, { method: 'GET', url, headers });
    const started = performance.now();
    const result = await handler(event, lambdaContext());
    const ms = performance.now() - started;
    if (result.statusCode !== 200) throw new Error(`${url} answered ${result.statusCode}: ${result.body}`);
    return { ms, result };
  };
}
