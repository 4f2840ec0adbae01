import { validatorsNodeID } from '../../../functions/validators/node-id.ts';
import { validators as validatorsList } from '../../../functions/validators.ts';
import type { DevnetValidator } from '../../../infra/devnet/devnet.ts';
import { formatNodeID } from '../../../lib/values/cb58.ts';
import { sendTo } from '../../support/events.ts';
import { startContainer } from '../../support/runtime.ts';
import { deadUrl } from '../../support/servers.ts';
import { startDataApi } from './data-apis.ts';
import { nodeHex } from './network.ts';

export const API_KEY = 'ac_secret-of-ours';

/** A container with the validators endpoints. The Data API lists these validators. The P-Chain and the C-Chain are down unless `env` sets other URLs. */
export async function startValidators(validators: readonly DevnetValidator[], env: Record<string, string> = {}) {
  const dataApi = await startDataApi(validators);
  const runtime = startContainer({
    NETWORK: 'avalanche',
    RPC_URLS: await deadUrl(),
    P_CHAIN_URLS: await deadUrl(),
    DATA_API_URL: dataApi.url,
    DATA_API_KEY: API_KEY,
    ...env,
  });
  return {
    dataApi,
    runtime,
    list: (query?: Record<string, string | string[]>) => sendTo(validatorsList, runtime, query && { query }),
    one: (nodeID: string) => sendTo(validatorsNodeID, runtime, { params: { nodeID } }),
    stop: dataApi.stop,
  };
}

/** The node IDs of a list, in its order. */
export function nodesIn(body: { validators: { nodeID: string }[] }): string[] {
  return body.validators.map(({ nodeID }) => nodeID);
}

/** The node IDs of these validators of the test network. */
export function nodesOf(...indexes: number[]): string[] {
  return indexes.map((index) => formatNodeID(nodeHex(index)));
}
