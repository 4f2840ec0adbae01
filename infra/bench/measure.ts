/** The service on a devnet and tables whose requests are delayed and metered, for `npm run bench` and `npm run cost`. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler, type Handler } from '../../lib/api/endpoint.ts';
import { createServices, type Services } from '../../lib/api/services.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { runRecorder } from '../../lib/history/record-history.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import type { Limits } from '../../lib/runtime/context.ts';
import { runtimeWith } from '../../lib/runtime/lambda-runtime.ts';
import { powertoolsTelemetry } from '../../lib/runtime/telemetry.ts';
import { DAY } from '../../lib/values/durations.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { createTable, startDynamoDB, useDynamoDB } from '../local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../local/event.ts';
import { DEVNET_LIMITS } from '../local/system.ts';
import { terminalTelemetry } from '../local/terminal.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { startMeter, withOutput } from './meter.ts';
import { ACCESS_LOG_BYTES, LAMBDA_LOG_BYTES } from './prices.ts';

/** More than a busy machine needs: a request that was given up would be counted again, and a bench ends with an answer that fails. */
const LIMITS: Limits = { ...DEVNET_LIMITS, cacheTableMs: 5_000, durableTableMs: 10_000 };
/** One day more than the longest window of `/metrics/apy`. */
const DAYS = 91;
const WARM_RUNS = 100;

process.env.POWERTOOLS_SERVICE_NAME = 'staking-data-dev';
const telemetry = powertoolsTelemetry();

/** Use of an endpoint: `miss` in a new container with a new cache, and `hit` in another container after that. */
export type EndpointUse = Awaited<ReturnType<Bench['measure']>>;
export type Bench = Awaited<ReturnType<typeof startBench>>;

/** Starts a devnet that stands still and empty tables, so many milliseconds away. */
export async function startBench(chainMs: number, tableMs: number) {
  console.log(`Starting the devnet; a request to it takes ${chainMs} ms more, one to a table ${tableMs} ms …`);
  const devnet = await startDevnet({ live: false });
  const api = await startAvalancheApi(devnet);
  const chain = await startCountingProxy(devnet.url, chainMs);
  const database = await startDynamoDB();
  const meter = await startMeter(database.env.AWS_ENDPOINT_URL_DYNAMODB as string, tableMs);
  const direct = { ...database.env, RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
  const env = { ...direct, RPC_URLS: chain.url, AWS_ENDPOINT_URL_DYNAMODB: meter.url };
  const client = new DynamoDBClient({});
  let caches = 0;

  /** A new container: it remembers nothing yet. */
  const open = (variables: Record<string, string>, to = telemetry): Services => {
    useDynamoDB(variables);
    const config = readConfig({ ...process.env, NETWORK: 'devnet', MAX_HEAD_AGE_SECONDS: '0' });
    return createServices(config, to, { limits: LIMITS });
  };

  const metered = async <Result>(work: () => Promise<Result>) => {
    meter.take();
    chain.requests = 0;
    const { output, ...done } = await withOutput(work);
    const used = { ...meter.take(), chainRequests: chain.requests, logBytes: output.length + LAMBDA_LOG_BYTES };
    return { ...done, ...used, output };
  };

  return {
    devnet,
    env,
    open,
    metered,
    /** Fills the tables as the recorders leave them. */
    async fill() {
      const context = open(direct, terminalTelemetry);
      const limits = { mayGoOn: () => true };
      await new LedgerRecorder(context.chain, context.ledger).run(limits);
      await updateHolderList(context.ledger);
      const { timestamp } = await context.chain.head();
      await runRecorder(context, timestamp - DAYS * DAY, { ...limits, hoursFrom: timestamp - 2 * DAY });
    },
    /** The new cache only holds addresses, pools and recorded rates. `warmMs`: the median time of hits in a container's memory. */
    async measure(endpoint: Endpoint) {
      const { path, exampleRequest: url } = endpoint;
      const CACHE_TABLE = `cache-${++caches}`;
      await createTable(client, CACHE_TABLE, 'cache');
      const before = open({ ...direct, CACHE_TABLE }, terminalTelemetry);
      await Promise.all([readCachedPools(before), readRecordedRates(before)]);
      const start = () => createHandler(endpoint, runtimeWith(open({ ...env, CACHE_TABLE })));
      const send = async (handler: Handler) => {
        const event = proxyEvent(path, { method: 'GET', url, headers: { 'accept-encoding': 'gzip' } });
        const { result, logBytes, ...used } = await metered(() => handler(event, lambdaContext()));
        const { statusCode, body, isBase64Encoded, headers } = result;
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`);
        const sentBytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') + JSON.stringify(headers).length;
        return { ...used, sentBytes, logBytes: logBytes + ACCESS_LOG_BYTES };
      };
      const container = start();
      const miss = await send(container);
      const warm = [];
      while (warm.length < WARM_RUNS) warm.push((await send(container)).ms);
      return { miss, hit: await send(start()), warmMs: median(warm) };
    },
    async stop() {
      client.destroy();
      closeConnections();
      for (const part of [meter, database, chain, api, devnet]) await part.stop();
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Prints a line of a table. */
export function print(name: string, figures: readonly (string | number)[]): void {
  console.log(name.padEnd(32), ...figures.map((figure) => String(figure).padStart(8)));
}
