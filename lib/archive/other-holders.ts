/**
 * Addresses in the logs of pstAVAX, xGGP, xAVAX and the AssetLocker. The ledger indexes no balances of these contracts, so
 * people who have nothing else appear in no entry.
 */

import { dataSlice, toQuantity } from 'ethers';
import type { Chain } from '../chain/chain.ts';

/** Number of blocks that every provider accepts in one request. A range of fewer blocks is not divided. */
const LEAST_BLOCKS = 500;
/** Any hash or amount has other leading bytes, in practice. */
const ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/i;
const NOBODY = /^0x0{40}$/;

interface Blocks {
  from: number;
  to: number;
}

/**
 * All addresses (lower case) that are indexed arguments of these contracts' events, in order. A range that a provider
 * refuses is halved. Throws UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function readOtherHolders({ network, rpc }: Chain, blocks: Blocks): Promise<string[]> {
  const { pstAvax, xGgp, xAvax, assetLocker } = network;
  const address = [pstAvax, xGgp, xAvax, assetLocker].filter((one) => one !== undefined);
  if (address.length === 0) return [];
  const found = new Set<string>();
  let size = blocks.to - blocks.from + 1;
  for (let from = blocks.from; from <= blocks.to; ) {
    const to = Math.min(blocks.to, from + size - 1);
    const filter = { address, fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    try {
      const logs = await rpc.callPast(
        { method: 'eth_getLogs', params: [filter] },
        (result) => result as { topics: string[] }[],
        0,
      );
      for (const topic of logs.flatMap(({ topics }) => topics.slice(1)))
        if (ADDRESS_TOPIC.test(topic)) found.add(dataSlice(topic, 12).toLowerCase());
      from = to + 1;
    } catch (error) {
      if (size <= LEAST_BLOCKS) throw error;
      size = Math.ceil(size / 2);
    }
  }
  return [...found].filter((one) => !NOBODY.test(one)).sort();
}
