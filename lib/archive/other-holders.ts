import { dataSlice, id } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import type { Log } from '../ledger/contract-events.ts';
import type { ContractName } from '../ledger/event-abis.ts';
import { isLog, LogReader } from '../ledger/log-reader.ts';
import { knownEmitters } from '../ledger/registry.ts';
import type { Blocks } from '../ledger/vote.ts';

const CONTRACTS: readonly ContractName[] = ['TokenpstAVAX', 'xGGP', 'xAVAX', 'AssetLocker'];
const TRANSFER = id('Transfer(address,address,uint256)');
/** Any hash or amount has other leading bytes, in practice. The zero address is nobody. */
const ADDRESS_TOPIC = /^0x0{24}(?!0{40})[0-9a-f]{40}$/;

/**
 * Addresses (lower case) in transfers of pstAVAX, xGGP and xAVAX and in the AssetLocker's events, of which the ledger has no
 * entries, each with the sum of these amounts (wei). Throws UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function readOtherHolders(
  { network, rpc }: Chain,
  blocks: Blocks,
  onBlocks: (count: number) => void,
): Promise<Map<string, bigint>> {
  const emitters = new Map([...knownEmitters(network)].filter(([, name]) => CONTRACTS.includes(name)));
  const found = new Map<string, bigint>();
  const reader = new LogReader(rpc, null);
  for (let from = blocks.from, to = 0; emitters.size > 0 && from <= blocks.to; from = to + 1) {
    to = Math.min(blocks.to, from + reader.blocksOfARequest - 1);
    for (const fact of (await reader.read({ from, to }, emitters)).values())
      if (isLog(fact)) addHolders(found, fact, emitters.get(fact.address) === 'AssetLocker');
    onBlocks(to - from + 1);
  }
  return found;
}

/** Anybody can make approvals, and transfers of nothing, between any addresses. */
function addHolders(found: Map<string, bigint>, { topics, data }: Log, isLocker: boolean): void {
  if (!isLocker && topics[0] !== TRANSFER) return;
  // The amount is the largest number of a locker's event: others are times.
  const [amount = 0n] = (data.slice(2).match(/.{64}/g) ?? [])
    .map((word) => BigInt(`0x${word}`))
    .sort((a, b) => (a < b ? 1 : -1));
  for (const topic of amount > 0n ? topics.slice(1).filter((topic) => ADDRESS_TOPIC.test(topic)) : [])
    found.set(dataSlice(topic, 12), (found.get(dataSlice(topic, 12)) ?? 0n) + amount);
}
