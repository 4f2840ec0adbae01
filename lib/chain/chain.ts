import type { Cache } from '../cache/cache.ts';
import { type ProtocolAddresses, readAddresses } from '../contracts/storage.ts';
import type { Network } from './networks.ts';
import type { BlockRef, ChainRpc } from './rpc.ts';
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

  constructor(network: Network, rpc: ChainRpc, cache: Cache) {
    this.network = network;
    this.rpc = rpc;
    this.#cache = cache;
  }

  /** The protocol at the latest block. Addresses are remembered for an hour, so this costs nothing by itself. */
  async latest(): Promise<View> {
    const { value } = await this.#cache.value('addresses', ADDRESSES_FRESH_SECONDS, () =>
      readAddresses(this.#snapshot('latest'), this.network.storage),
    );
    return this.#view(this.#snapshot('latest'), value);
  }

  /** The protocol at a past block, with the contracts that were registered then. Needs an endpoint that keeps old states. */
  async at(block: number): Promise<View> {
    const runner = this.#snapshot(block);
    return this.#view(runner, await readAddresses(runner, this.network.storage));
  }

  #snapshot(tag: 'latest' | number): Snapshot {
    return new Snapshot(this.rpc, this.network.multicall3, tag);
  }

  #view(runner: Snapshot, addresses: ProtocolAddresses): View {
    return { runner, addresses, network: this.network, block: () => runner.block() };
  }
}
