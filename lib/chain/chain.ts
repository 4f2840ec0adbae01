import type { Cache } from '../cache/cache.ts';
import { ifAnswered } from '../contracts/answered.ts';
import { NOTHING_REGISTERED, type ProtocolAddresses, readAddresses } from '../contracts/storage.ts';
import { BlockFinder } from './block-finder.ts';
import type { Network } from './networks.ts';
import { type BlockRef, type ChainRpc, parseHeader } from './rpc.ts';
import { Snapshot } from './snapshot.ts';

/** The protocol at one block: what the contract readers take. */
export interface View {
  runner: Snapshot;
  addresses: ProtocolAddresses;
  network: Network;
  /** The block of everything that is read through this view. */
  block(): Promise<BlockRef>;
}

const ADDRESSES_FRESH_SECONDS = 3_600;

/** The C-Chain, as the protocol's contracts see it. */
export class Chain {
  readonly network: Network;
  readonly rpc: ChainRpc;
  readonly #cache: Cache;
  readonly #finder: BlockFinder;

  constructor(network: Network, rpc: ChainRpc, cache: Cache) {
    this.network = network;
    this.rpc = rpc;
    this.#cache = cache;
    this.#finder = new BlockFinder((number) => rpc.header(number));
  }

  /** The protocol at the latest block. Addresses are remembered for an hour, so this costs nothing by itself. */
  async latest(): Promise<View> {
    const { value } = await this.#cache.value('addresses', { freshSeconds: ADDRESSES_FRESH_SECONDS }, () =>
      readAddresses(this.#snapshot('latest'), this.network.storage),
    );
    return this.#view(this.#snapshot('latest'), value);
  }

  /**
   * The protocol at a past block, with the contracts that were registered then: none before there was a registry. Needs an
   * endpoint that keeps old states.
   */
  async at(block: number): Promise<View> {
    const runner = this.#snapshot(block);
    const addresses = await ifAnswered(readAddresses(runner, this.network.storage));
    return this.#view(runner, addresses ?? NOTHING_REGISTERED);
  }

  /** The latest block. */
  head(): Promise<BlockRef> {
    return this.rpc.call(
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { parse: parseHeader, headOf: (header) => header },
    );
  }

  /** The last block at or before `time` (unix seconds), or undefined if the chain is younger. `head` is the latest block. */
  blockAt(time: number, head: BlockRef): Promise<BlockRef | undefined> {
    return this.#finder.find(time, head);
  }

  #snapshot(tag: 'latest' | number): Snapshot {
    return new Snapshot(this.rpc, this.network.multicall3, tag);
  }

  #view(runner: Snapshot, addresses: ProtocolAddresses): View {
    return { runner, addresses, network: this.network, block: () => runner.block() };
  }
}
