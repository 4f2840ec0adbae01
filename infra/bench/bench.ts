/**
 * `npm run bench`: for each endpoint, the requests to the chain and to the tables and the time of a cold response (from a
 * container that only finds addresses, pools, recorded rates and the protocol's lists in the cache), and the time of a hit. On
 * the devnet, with 5 ms of latency. Budgets of requests are in `test/integration` and `test/resilience`.
 */

import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { readDataset } from '../../lib/cache/cache.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { marketDataset, readCachedPools } from '../../lib/prices/current.ts';
import { TRADER_JOE } from '../../lib/prices/exchanges.ts';
import { currentDataset, protocolDataset } from '../../lib/protocol/protocol.ts';
import { createTable, startDynamoDB } from '../local/dynamodb.ts';
import { terminalTelemetry } from '../local/terminal.ts';
import { clientOf, openContainer, recordHistory, recordLedger, startUpstreams } from './containers.ts';
import { startCountingProxy } from './counting-proxy.ts';

const CHAIN_LATENCY_MS = 5;
const COLD_RUNS = 5;
const WARM_RUNS = 500;

const { devnetUrl, chain, env: upstreams, stop } = await startUpstreams(CHAIN_LATENCY_MS);
const filled = await startFilledTables();

console.log(`Chain latency ${CHAIN_LATENCY_MS} ms; medians of ${COLD_RUNS} cold responses and ${WARM_RUNS} hits.\n`);
console.log(`${'endpoint'.padEnd(30)} chain requests    tables   cold ms   hit µs`);
for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
  const cold = [];
  for (let run = 0; run < COLD_RUNS; run++) cold.push(await coldResponse(endpoint));
  const requests = median(cold.map((run) => run.requests));
  const ofTables = median(cold.map((run) => run.ofTables));
  console.log(
    endpoint.path.padEnd(30),
    String(requests).padStart(14),
    String(ofTables).padStart(9),
    median(cold.map(({ ms }) => ms))
      .toFixed(1)
      .padStart(9),
    median(cold.map(({ hitUs }) => hitUs))
      .toFixed(0)
      .padStart(8),
  );
}

await filled.stop();
await stop();

/** The first response of a new container with a new cache, and the median of the hits after it. */
async function coldResponse(endpoint: Endpoint) {
  const tables = await filled.withNewCache();
  const table = await startCountingProxy(tables.AWS_ENDPOINT_URL_DYNAMODB as string);
  const env = { ...tables, ...upstreams, AWS_ENDPOINT_URL_DYNAMODB: table.url };
  const request = clientOf(endpoint, openContainer(env, terminalTelemetry), terminalTelemetry);
  chain.requests = 0;
  table.requests = 0;
  const { ms } = await request();
  const [{ requests }, { requests: ofTables }] = [chain, table];
  const hits = [];
  const hitRuns = endpoint.freshSeconds > 0 ? WARM_RUNS : COLD_RUNS;
  for (let run = 0; run < hitRuns; run++) hits.push((await request()).ms);
  await table.stop();
  return { requests, ofTables, ms, hitUs: median(hits) * 1_000 };
}

/** Tables filled as the recorders leave them: with points of the newest days and hours, and with all events. */
async function startFilledTables() {
  const { env, stop } = await startDynamoDB();
  const recorder = openContainer({ ...env, ...upstreams, RPC_URLS: devnetUrl }, terminalTelemetry);
  // One day more than the longest window of `/metrics/apy`.
  await recordHistory(recorder, '1h', 91);
  await recordLedger(recorder);
  await updateHolderList(recorder.ledger);
  const client = new DynamoDBClient({ endpoint: env.AWS_ENDPOINT_URL_DYNAMODB as string });
  const expire = (TableName: string, pk: string) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { pk: { S: pk } },
        UpdateExpression: 'SET freshUntil = :past, storedAt = :past',
        ExpressionAttributeValues: { ':past': { N: String(Date.now() - 3_600_000) } },
      }),
    );
  let caches = 0;
  return {
    stop,
    /** The environment of the same tables with a cache that only holds what all requests share, and readings that have expired. */
    async withNewCache(): Promise<Record<string, string>> {
      caches += 1;
      const CACHE_TABLE = `cache-${caches}`;
      await createTable(client, CACHE_TABLE, 'cache');
      const before = openContainer({ ...env, ...upstreams, RPC_URLS: devnetUrl, CACHE_TABLE }, terminalTelemetry);
      await readCachedPools(before);
      await readRecordedRates(before);
      await readDataset(before, protocolDataset);
      const market = marketDataset(TRADER_JOE.code);
      await Promise.all([readDataset(before, currentDataset), readDataset(before, market)]);
      for (const { name } of [currentDataset, market])
        await expire(CACHE_TABLE, `${before.config.release}#${before.config.network.name}#${name}`);
      return { ...env, CACHE_TABLE };
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
