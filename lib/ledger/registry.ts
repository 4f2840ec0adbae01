/**
 * The contracts that emit the protocol's events. The protocol replaces its managers without an event. So every run also
 * reads the registry, and a contract that was registered once is indexed from then on.
 */

import { ZeroAddress } from 'ethers';
import { toAddress, toBytes, wordAt } from '../chain/abi-words.ts';
import { toTag } from '../chain/block-calls.ts';
import type { Chain } from '../chain/chain.ts';
import { parseInterface } from '../chain/contract.ts';
import { decodeAggregate3, encodeAggregate3 } from '../chain/multicall.ts';
import { addressKey, guardianCall, STORAGE_ABI } from '../chain/storage.ts';
import { NoState } from '../chain/upstream/failures.ts';
import type { RpcCall } from '../chain/upstream/json-rpc.ts';
import type { Network } from '../runtime/networks.ts';
import type { ContractName } from './event-abis.ts';
import type { Blocks } from './vote.ts';

/** The contracts by address (lower case). */
export type Emitters = ReadonlyMap<string, ContractName>;

const REGISTERED = [
  'ClaimNodeOp',
  'MinipoolManager',
  'Oracle',
  'RewardsPool',
  'Staking',
  'TokenggAVAX',
  'Vault',
] as const;

/** The contracts that need no lookup: those that no registry holds, and those that have been replaced. */
export function knownEmitters(network: Network): Emitters {
  const known: { [Name in ContractName]?: readonly (string | undefined)[] } = {
    WithdrawQueue: [network.withdrawQueue],
    TokenpstAVAX: [network.pstAvax],
    xGGP: [network.xGgp],
    xAVAX: [network.xAvax],
    AssetLocker: [network.assetLocker],
    Timelock: [network.timelock],
    ...network.former,
  };
  const named = Object.entries(known) as [ContractName, readonly (string | undefined)[]][];
  return new Map(named.flatMap(([name, of]) => of.flatMap((one) => (one ? [[one.toLowerCase(), name]] : []))));
}

export function registryCall(network: Network, block: number): RpcCall {
  const { storage, multicall3 } = network;
  const abi = parseInterface(STORAGE_ABI);
  const calls = REGISTERED.map((name) => ({
    to: storage,
    data: abi.encodeFunctionData('getAddress', [addressKey(name)]),
  }));
  return {
    method: 'eth_call',
    params: [{ to: multicall3, data: encodeAggregate3([...calls, guardianCall(network)]) }, toTag(block)],
  };
}

/**
 * Parses the result of {@link registryCall}: empty before the registry existed. Throws if the result cannot be parsed, or
 * comes from a node that lacks the state.
 */
export function parseRegistry(returned: string): Emitters {
  const answers = decodeAggregate3(returned, REGISTERED.length + 1);
  const guardian = answers.pop()?.data;
  if (guardian !== '0x' && toAddress(wordAt(toBytes(String(guardian)), 0)) === ZeroAddress) throw new NoState();
  const entries = answers.flatMap(({ data }, place): [string, ContractName][] => {
    if (data === '0x') return [];
    const address = toAddress(wordAt(toBytes(data), 0));
    return address === ZeroAddress ? [] : [[address, REGISTERED[place] as ContractName]];
  });
  return new Map(entries);
}

/**
 * Every contract that was registered at some block of a range: the registry's changes are bisected, all halves of one
 * depth in one request. It can only miss a contract that replaced another one and was replaced by it again between two
 * probes. Throws UPSTREAM_UNAVAILABLE if no provider keeps the states.
 */
export async function findRegistered(
  { network, rpc }: Pick<Chain, 'network' | 'rpc'>,
  blocks: Blocks,
): Promise<Emitters> {
  const read = (numbers: readonly number[]) =>
    rpc.batch(
      numbers.map((number) => registryCall(network, number)),
      (registries) => registries.map((registry) => parseRegistry(String(registry))),
    );
  const [first, last] = (await read([blocks.from, blocks.to])) as [Emitters, Emitters];
  const found = new Map([...first, ...last]);
  let spans = [{ ...blocks, first, last }];
  for (;;) {
    spans = spans.filter(({ from, to, first, last }) => to - from > 1 && `${toTexts(first)}` !== `${toTexts(last)}`);
    if (spans.length === 0) return found;
    const middleOf = ({ from, to }: Blocks) => Math.floor((from + to) / 2);
    const registries = await read(spans.map(middleOf));
    spans = spans.flatMap((span, index) => {
      const [middle, registry] = [middleOf(span), registries[index] as Emitters];
      for (const [address, emitter] of registry) found.set(address, emitter);
      return [
        { ...span, to: middle, last: registry },
        { ...span, from: middle, first: registry },
      ];
    });
  }
}

/** Formats contracts for the table: `<name>#<address>`. */
export function toTexts(emitters: Emitters): string[] {
  return [...emitters].map(([address, name]) => `${name}#${address}`);
}

/** Parses contracts that {@link toTexts} formatted. */
export function fromTexts(texts: readonly string[]): Emitters {
  return new Map(texts.map((text) => text.split('#').reverse() as [string, ContractName]));
}
