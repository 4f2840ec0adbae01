import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { Cache } from '../cache/cache.ts';
import { TABLE_TIMEOUT_MS, TableStore } from '../cache/table.ts';
import { Chain } from '../chain/chain.ts';
import { ChainRpc } from '../chain/rpc.ts';
import { reportAttempt } from '../chain/upstream/failover.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Process } from '../runtime/per-process.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { dynamoDB } from '../tables/dynamodb.ts';

/**
 * What every handler reads from: one per process, and a new one when its secret changes. Making it opens no connection.
 */
export interface Context extends Process {
  cache: Cache;
  chain: Chain;
}

/** Time limits of one attempt at a C-Chain provider, and of all attempts of a call. */
export interface RpcLimits {
  attemptMs: number;
  budgetMs: number;
}

/** Well below the functions' time-out, which is in infra/stack/limits.ts. */
const ENDPOINT_RPC_LIMITS: RpcLimits = { attemptMs: 1_000, budgetMs: 3_000 };
/** Nobody waits for a recorder, and old states are slower to read. */
export const RECORDER_RPC_LIMITS: RpcLimits = { attemptMs: 5_000, budgetMs: 15_000 };
const TABLE_ATTEMPTS = 2;
const TABLE_RETRY_PAUSE_MS = 20;

/** A context with these settings, and the endpoints' time limits unless others are given. */
export function createContext(
  config: Config,
  telemetry: Telemetry,
  rpcLimits = ENDPOINT_RPC_LIMITS,
  tableTimeoutMs = TABLE_TIMEOUT_MS,
): Context {
  // The SDK's own strategy waits half a second when it is throttled.
  const retryStrategy = new ConfiguredRetryStrategy(TABLE_ATTEMPTS, TABLE_RETRY_PAUSE_MS);
  const client = dynamoDB(tableTimeoutMs, { retryStrategy });
  const store = new TableStore(client, config.cacheTable, telemetry, systemClock, tableTimeoutMs);
  const cache = new Cache(config.network.name, store, telemetry);
  const rpc = new ChainRpc(config.rpcUrls, {
    chainId: config.network.chainId,
    maxHeadAgeSeconds: config.maxHeadAgeSeconds,
    ...rpcLimits,
    onAttempt: reportAttempt(telemetry),
    onHead: ({ timestamp }) => telemetry.record('HeadAge', Date.now() / 1_000 - timestamp),
    onWrongChain: (provider, chainId) =>
      telemetry.error('provider serves another chain and is no longer used', {
        provider,
        chainId,
        expected: config.network.chainId,
      }),
  });
  return { config, telemetry, clients: new Map(), cache, chain: new Chain(config.network, rpc, cache) };
}
