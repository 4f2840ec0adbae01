/** Upstreams and tables of the service, started on this machine. */

import { ENDPOINT_LIMITS, type Limits } from '../../lib/runtime/context.ts';
import { startAvalancheApi } from '../devnet/avalanche-api.ts';
import { startDevnet } from '../devnet/devnet.ts';
import { startDynamoDB } from './dynamodb.ts';
import type { SystemOptions } from './system.ts';

/** The devnet shares this machine's cores: it is slow while they are busy, and there is no other provider. */
export const DEVNET_LIMITS: Limits = {
  ...ENDPOINT_LIMITS,
  rpc: { attemptMs: 10_000, budgetMs: 20_000 },
  optionalMs: 8_000,
};
/** On a real network, free public providers are slow while the recorders read from them. */
export const PUBLIC_PROVIDER_LIMITS: Limits = { ...ENDPOINT_LIMITS, rpc: { attemptMs: 2_500, budgetMs: 8_000 } };

export type Env = Record<string, string | undefined>;

/**
 * Days with a block every two hours. Earlier days have one block, and one for each event: anvil keeps a state of 0.3 MB
 * for each block.
 */
const HISTORY_DAYS = 7;

/**
 * Starts a chain with its P-Chain and Data API, and a DynamoDB engine with the stack's tables, unless the environment names others.
 * The tables are kept in `folder`, if given. Returns environment variables with the addresses of what was started, which is stopped
 * if a part does not start.
 */
export async function startLocalServices(
  isDevnet: boolean,
  given: Env,
  { onStep, onFault }: Required<Pick<SystemOptions, 'onStep' | 'onFault'>>,
  folder?: string,
): Promise<{ env: Env; stop(): Promise<void> }> {
  const running: { stop(): Promise<unknown> }[] = [];
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  const env: Env = {};
  try {
    if (isDevnet && !given.RPC_URLS) {
      const devnet = await startDevnet({ historyDays: HISTORY_DAYS, onProgress: onStep });
      running.push(devnet);
      devnet.ended.then(() => onFault('The local chain has stopped. Start again.'));
      const api = await startAvalancheApi(devnet);
      running.push(api);
      onStep(`P-Chain and Data API: ready with ${devnet.validators.length} validators`);
      Object.assign(env, { RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl });
    }
    if (!given.AWS_ENDPOINT_URL_DYNAMODB) {
      const database = await startDynamoDB(folder);
      running.push(database);
      onStep(`DynamoDB: ready with the stack's tables, ${folder ? `kept in ${folder}` : 'in memory'}`);
      Object.assign(env, database.env);
    }
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
