import { dataSlice } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import type { ContractName } from '../ledger/event-abis.ts';
import { isLog, LogReader } from '../ledger/log-reader.ts';
import { knownEmitters } from '../ledger/registry.ts';
import type { Blocks } from '../ledger/vote.ts';

const CONTRACTS: readonly ContractName[] = ['TokenpstAVAX', 'xGGP', 'xAVAX', 'AssetLocker'];
/** Any hash or amount has other leading bytes, in practice. The zero address is nobody. */
const ADDRESS_TOPIC = /^0x0{24}(?!0{40})[0-9a-f]{40}$/;

/**
 * Addresses (lower case, sorted) in the logs of pstAVAX, xGGP, xAVAX and the AssetLocker, of which the ledger has no entries. Throws
 * UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function readOtherHolders(
  { network, rpc }: Chain,
  blocks: Blocks,
  onBlocks: (count: number) => void,
): Promise<string[]> {
  const emitters = new Map([...knownEmitters(network)].filter(([, name]) => CONTRACTS.includes(name)));
  const found = new Set<string>();
  const reader = new LogReader(rpc, null);
  for (let from = blocks.from, to = 0; emitters.size > 0 && from <= blocks.to; from = to + 1) {
    to = Math.min(blocks.to, from + reader.blocksOfARequest - 1);
    for (const fact of (await reader.read({ from, to }, emitters)).values())
      for (const topic of isLog(fact) ? fact.topics.slice(1) : [])
        if (ADDRESS_TOPIC.test(topic)) found.add(dataSlice(topic, 12));
    onBlocks(to - from + 1);
  }
  return [...found].sort();
}
