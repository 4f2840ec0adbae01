import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { Cache } from './cache/cache.ts';
import { TableStore } from './cache/table.ts';
import { Chain } from './chain/chain.ts';
import { ChainRpc } from './chain/rpc.ts';
import type { Config } from './config.ts';
import type { Telemetry } from './telemetry.ts';
import type { Attempt } from './upstream/failover.ts';
import { DataApi } from './validators/data-api.ts';
import { PChain } from './validators/p-chain.ts';

/** What handlers read from: one per process, made on the first request. Making it opens no connection. */
export interface Context {
  config: Config;
  telemetry: Telemetry;
  cache: Cache;
  chain: Chain;
  pChain: PChain;
  dataApi: DataApi;
}

/** One attempt at an endpoint, and all attempts of a request: well below the functions' time-out of 10 s. */
const RPC_ATTEMPT_MS = 1_000;
const RPC_BUDGET_MS = 3_000;
/** One page of the validator index, and all of them; when they run out, the P-Chain still has its time. */
const DATA_API_PAGE_MS = 2_000;
const DATA_API_BUDGET_MS = 5_000;
const P_CHAIN_ATTEMPT_MS = 2_000;
const P_CHAIN_BUDGET_MS = 4_000;
/** The table is a cache: slower than this, the source is the better answer. */
const TABLE_TIMEOUT_MS = 150;
const TABLE_ATTEMPTS = 2;
const TABLE_RETRY_PAUSE_MS = 20;

export function createContext(config: Config, telemetry: Telemetry): Context {
  const cache = new Cache(config.network.name, new TableStore(cacheClient(), config.cacheTable, telemetry), telemetry);
  const onAttempt = ({ endpoint, outcome, ms }: Attempt) => {
    telemetry.attempt(endpoint, outcome);
    if (outcome !== 'ok') telemetry.warn('upstream attempt failed', { endpoint, outcome, ms });
  };
  const rpc = new ChainRpc(config.rpcUrls, {
    chainId: config.network.chainId,
    maxHeadAgeSeconds: config.maxHeadAgeSeconds,
    attemptMs: RPC_ATTEMPT_MS,
    budgetMs: RPC_BUDGET_MS,
    onAttempt,
    onWrongChain: (endpoint, chainId) =>
      telemetry.error('endpoint serves another chain, refused', {
        endpoint,
        chainId,
        expected: config.network.chainId,
      }),
  });
  const pChain = new PChain(config.pChainUrls, {
    attemptMs: P_CHAIN_ATTEMPT_MS,
    budgetMs: P_CHAIN_BUDGET_MS,
    onAttempt,
  });
  const dataApi = new DataApi(config.dataApiUrl, {
    network: config.network.dataApiNetwork,
    apiKey: config.dataApiKey,
    attemptMs: DATA_API_PAGE_MS,
    budgetMs: DATA_API_BUDGET_MS,
    onAttempt,
  });
  return { config, telemetry, cache, chain: new Chain(config.network, rpc, cache), pChain, dataApi };
}

/** A DynamoDB client that gives up early: `requestTimeout` alone only warns. */
function cacheClient(): DynamoDBClient {
  return new DynamoDBClient({
    // The SDK's own strategy waits half a second when it is throttled.
    retryStrategy: new ConfiguredRetryStrategy(TABLE_ATTEMPTS, TABLE_RETRY_PAUSE_MS),
    requestHandler: {
      connectionTimeout: TABLE_TIMEOUT_MS,
      requestTimeout: TABLE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}
