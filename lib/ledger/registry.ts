import { ZeroAddress } from 'ethers';
import { type BlockTag, toTag } from '../chain/block-calls.ts';
import { interfaceOf } from '../chain/contract.ts';
import { decodeAggregate3, encodeAggregate3 } from '../chain/multicall.ts';
import { addressKey, STORAGE_ABI } from '../chain/storage.ts';
import type { RpcCall } from '../chain/upstream/json-rpc.ts';
import { addressOf, bytesOf, wordAt } from '../chain/words.ts';
import type { Network } from '../runtime/networks.ts';
import type { Emitter } from './event-abis.ts';

/**
 * Which contracts emit the protocol's events. The protocol replaces its managers without an event: so every search also
 * reads what is registered, and whatever was registered once is searched from then on.
 */

/** The contracts by address (lower case). */
export type Emitters = ReadonlyMap<string, Emitter>;

const REGISTERED = ['ClaimNodeOp', 'MinipoolManager', 'Oracle', 'RewardsPool', 'Staking', 'TokenggAVAX'] as const;

/** The contracts that need no lookup: those that no registry holds, and those that have been replaced. */
export function knownEmitters({ withdrawQueue, former }: Network): Emitters {
  return new Map<string, Emitter>([
    [withdrawQueue.toLowerCase(), 'WithdrawQueue'],
    ...former.MinipoolManager.map((address) => [address.toLowerCase(), 'MinipoolManager'] as const),
    ...former.Staking.map((address) => [address.toLowerCase(), 'Staking'] as const),
  ]);
}

/** The call that reads what is registered at a block. */
export function registryCall({ storage, multicall3 }: Network, block: BlockTag): RpcCall {
  const abi = interfaceOf(STORAGE_ABI);
  const calls = REGISTERED.map((name) => ({
    to: storage,
    data: abi.encodeFunctionData('getAddress', [addressKey(name)]),
  }));
  return {
    method: 'eth_call',
    params: [{ to: multicall3, data: encodeAggregate3(calls) }, toTag(block)],
  };
}

/** What such a call returned: empty before the registry existed. Throws if that cannot be parsed. */
export function parseRegistry(returned: string): Emitters {
  const answers = decodeAggregate3(returned, REGISTERED.length);
  const entries = answers.flatMap(({ data }, place): [string, Emitter][] => {
    if (data === '0x') return [];
    const address = addressOf(wordAt(bytesOf(data), 0));
    return address === ZeroAddress ? [] : [[address, REGISTERED[place] as Emitter]];
  });
  return new Map(entries);
}

/** As the table stores them: `<name>#<address>`. */
export function toTexts(emitters: Emitters): string[] {
  return [...emitters].map(([address, name]) => `${name}#${address}`);
}

/** The contracts in what {@link toTexts} made. */
export function fromTexts(texts: readonly string[]): Emitters {
  return new Map(texts.map((text) => text.split('#').reverse() as [string, Emitter]));
}
