/**
 * `lib/chain`: the C-Chain at one block. `context.chain` returns states of the protocol for the readers of `lib/contracts`
 * and `lib/prices`. To get a figure of a contract, call its reader, not this layer.
 */

import { id, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Cache, CacheContext } from '../cache/cache.ts';
import { openCache } from '../cache/table.ts';
import type { Context } from '../runtime/context.ts';
import type { Network } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';
import { blockFinder } from './block-finder.ts';
import { contractAt, ifAnswered, parseInterface, type Runner } from './contract.ts';
import { ChainRpc } from './rpc.ts';
import { type InnerCall, Snapshot } from './snapshot.ts';
import { reportAttempt } from './upstream/failures.ts';
import type { BlockTag } from './upstream/json-rpc.ts';
import type { Provider } from './upstream/provider.ts';

export const CONTRACT_NAMES = [
  'ClaimNodeOp',
  'MinipoolManager',
  'Oracle',
  'ProtocolDAO',
  'RewardsPool',
  'Staking',
  'TokenGGP',
  'TokenggAVAX',
  'Vault',
] as const;

const LATE_CLOCK =
  "this machine's clock is behind that of every provider: correct it, or set MAX_HEAD_AGE_SECONDS=0 to compare no times";

/** Maximum number of blocks by which the nodes of a provider should differ: after a loss, a snapshot is as far below the head. */
const BLOCKS_APART = 4;

export type ContractName = (typeof CONTRACT_NAMES)[number];
export type ProtocolAddresses = Record<ContractName, string>;

export const NOTHING_REGISTERED = Object.fromEntries(
  CONTRACT_NAMES.map((name) => [name, ZeroAddress]),
) as ProtocolAddresses;

export const STORAGE_ABI = [
  'function getAddress(bytes32 key) view returns (address)',
  'function getGuardian() view returns (address)',
  'function getUint(bytes32 key) view returns (uint256)',
] as const;

/** The protocol at one block: the parameter of the contract readers. */
export interface ProtocolState extends Pick<Snapshot, 'block' | 'storageAt'> {
  /** The calls of one tick share a request. */
  runner: Runner;
  addresses: ProtocolAddresses;
  network: Network;
}

export interface ChainContext extends CacheContext {
  chain: Chain;
}

/** The context with the cache and the C-Chain. `providers`: those of another context of this process. */
export function createChainContext(
  context: Context,
  cache = openCache(context),
  providers?: readonly Provider[],
): ChainContext {
  const { config, telemetry, clock, limits, pinned } = context;
  let isSaid = false;
  const rpc = new ChainRpc(providers ?? config.rpcUrls, {
    chainId: config.network.chainId,
    maxHeadAgeSeconds: config.maxHeadAgeSeconds,
    ...limits.rpc,
    clock,
    onAttempt: reportAttempt(telemetry, clock),
    onLateClock(seconds) {
      if (!isSaid) telemetry.warn(LATE_CLOCK, { seconds });
      isSaid = true;
    },
    onHead: ({ timestamp }) => telemetry.record('HeadAge', clock.unix() / 1_000 - timestamp),
  });
  return { ...context, cache, chain: new Chain(config.network, rpc, cache, pinned) };
}

export class Chain {
  readonly network: Network;
  readonly rpc: ChainRpc;
  readonly #cache: Cache;
  readonly #pinned: BlockRef | undefined;
  #pinnedState: Promise<ProtocolState> | undefined;
  readonly blocksAt: ReturnType<typeof blockFinder>;

  /** With `pinned`, that block is the latest one. */
  constructor(network: Network, rpc: ChainRpc, cache: Cache, pinned?: BlockRef) {
    this.network = network;
    this.rpc = rpc;
    this.#cache = cache;
    this.#pinned = pinned;
    this.blocksAt = blockFinder((number) => rpc.header(number));
  }

  /**
   * The protocol at the latest block, or at a recent one, if a provider keeps its state. Addresses are cached for an
   * hour, so this alone costs no request.
   */
  async latest(block: BlockTag = 'latest'): Promise<ProtocolState> {
    // Shared by all readers, so that each call is made once.
    if (this.#pinned) this.#pinnedState ??= this.at(this.#pinned.number);
    if (this.#pinnedState) return this.#pinnedState;
    const { value: addresses } = await this.#cache.value('addresses', { freshSeconds: 3_600, shared: true }, () =>
      readAddresses(this.#snapshot('latest'), this.network.storage, CONTRACT_NAMES),
    );
    const tag = block === 'latest' && this.rpc.hasLostBlock ? (await this.head()).number - BLOCKS_APART : block;
    return this.#stateOf(this.#snapshot(tag), addresses);
  }

  /**
   * The protocol at a past block, with the contracts that were registered then: none before the registry existed. Needs
   * an archive node.
   */
  async at(block: number): Promise<ProtocolState> {
    const runner = this.#snapshot(block);
    const addresses = await ifAnswered(readAddresses(runner, this.network.storage, CONTRACT_NAMES));
    return this.#stateOf(runner, addresses ?? NOTHING_REGISTERED);
  }

  only(provider: Provider): Chain {
    return new Chain(this.network, this.rpc.only(provider), this.#cache, this.#pinned);
  }

  async head(): Promise<BlockRef> {
    return this.#pinned ?? this.rpc.head();
  }

  #snapshot(tag: BlockTag): Snapshot {
    const proof = tag === 'latest' ? undefined : guardianCall(this.network);
    return new Snapshot(this.rpc, tag, proof);
  }

  #stateOf(runner: Snapshot, addresses: ProtocolAddresses): ProtocolState {
    const reads = { block: () => runner.block(), storageAt: (...at: [string, string]) => runner.storageAt(...at) };
    return { runner, addresses, network: this.network, ...reads };
  }
}

/**
 * The address of each contract at the snapshot's block: contracts are replaced over the years. An unregistered name has the
 * zero address, and a call to that counts as "not answered".
 */
export async function readAddresses<Name extends string>(runner: Runner, storage: string, names: readonly Name[]) {
  const keys = names.map((name) => id(`contract.address${name}`));
  const addresses = await Promise.all(keys.map((key) => readStoredAddress(runner, storage, key)));
  return Object.fromEntries(names.map((name, place) => [name, addresses[place]])) as Record<Name, string>;
}

export function isRegistered({ addresses }: { addresses: ProtocolAddresses }, name: ContractName): boolean {
  return addresses[name] !== ZeroAddress;
}

/** The call for the protocol's guardian: never the zero address, since the block that created the registry. */
export function guardianCall({ storage }: Pick<Network, 'storage'>): InnerCall {
  return { to: storage, data: parseInterface(STORAGE_ABI).encodeFunctionData('getGuardian') };
}

/** The storage key of a field of the record at an index. */
export function recordKey(list: 'minipool' | 'staker', index: number | bigint, field: string): string {
  return solidityPackedKeccak256(['string', 'int256', 'string'], [`${list}.item`, index, `.${field}`]);
}

export function readStoredAddress(runner: Runner, storage: string, key: string): Promise<string> {
  // ethers' contracts have a `getAddress` of their own.
  return contractAt(storage, STORAGE_ABI, runner).getFunction('getAddress')(key);
}
