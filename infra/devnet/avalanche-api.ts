/**
 * Both sources of validators, on one machine: Ava Labs' Data API and the P-Chain's JSON-RPC, behaving like the real
 * ones.
 */

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerDataApi } from './avalanche-api/data-api.ts';
import { answerPChain } from './avalanche-api/p-chain.ts';
import type { DevnetValidator } from './devnet.ts';
import { listen } from './listen.ts';
import { P_CHAIN_SUPPLY } from './scenario/p-chain.ts';

interface AvalancheApiOptions {
  /** Listed while they are active by the clock; the array may change meanwhile. */
  validators: readonly DevnetValidator[];
  /** AVAX in existence, nAVAX; the devnet's by default. */
  supply?: bigint;
}

export interface AvalancheApi {
  dataApiUrl: string;
  pChainUrl: string;
  stop(): Promise<void>;
}

const P_CHAIN_PATH = '/ext/bc/P';

/** Serves both on a free port of 127.0.0.1. */
export async function startAvalancheApi({
  validators,
  supply = P_CHAIN_SUPPLY,
}: AvalancheApiOptions): Promise<AvalancheApi> {
  const server = createServer(async (request, response) => {
    const active = validators.filter(isActive);
    const { status, body } =
      request.url === P_CHAIN_PATH && request.method === 'POST'
        ? answerPChain(await text(request), active, supply)
        : answerDataApi(request, active);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { url, stop } = await listen(server);
  return { dataApiUrl: url, pChainUrl: url + P_CHAIN_PATH, stop };
}

function isActive({ startTime, endTime }: DevnetValidator): boolean {
  const now = Date.now() / 1_000;
  return startTime <= now && now < endTime;
}
