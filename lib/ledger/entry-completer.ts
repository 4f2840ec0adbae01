/**
 * Completes entries, once, when they are recorded, with fields that their logs lack: rates, owners, requesters and cycle
 * numbers from the state after the block, owners' rewards from the states before and after it. Like history, this needs
 * an archive node.
 */

import { solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import { contractAt, type Runner } from '../chain/contract.ts';
import { Snapshot } from '../chain/snapshot.ts';
import { guardianCall, readStoredAddress, recordKey, STORAGE_ABI } from '../chain/storage.ts';
import { NoState } from '../chain/upstream/failures.ts';
import { GG_AVAX_ABI } from '../contracts/gg-avax.ts';
import { REWARDS_POOL_ABI } from '../contracts/ggp.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { WITHDRAW_QUEUE_ABI } from '../contracts/withdraw-queue.ts';
import { chunked } from '../values/arrays.ts';
import { WAD } from '../values/wad.ts';
import type { PartialEntry } from './contract-events.ts';
import { declarationOf } from './events/entry-types.ts';

/** Blocks whose state is read at once: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const TIMELOCK_ABI = ['function actions(bytes32 id) view returns (address target, uint256 eta, bytes data)'] as const;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

type Fields = PartialEntry['fields'];

/** The states after an entry's block, and before it. */
interface States {
  after: Runner;
  before: Runner;
}

/** Completes partial entries of one network. Remembers the index of each node, which never changes. */
export class EntryCompleter {
  readonly #chain: Chain;
  readonly #indexes = new Map<string, bigint>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /**
   * Returns the entries with the fields that their logs lack. The calls of a block share an `eth_call`, and many blocks a
   * request. Throws UPSTREAM_UNAVAILABLE if no provider keeps the state of their blocks.
   */
  async complete(partialEntries: readonly PartialEntry[]): Promise<PartialEntry[]> {
    const { rpc, network } = this.#chain;
    const entries = withRequesters(partialEntries);
    const missing = new Map<PartialEntry, Fields>();
    const blocks = [...Map.groupBy(entries.filter(lacksFields), ({ block }) => block)];
    for (const group of chunked(blocks, BLOCKS_AT_ONCE))
      await Promise.all(
        group.flatMap(([block, ofBlock]) => {
          const at = (number: number) => new Snapshot(rpc, network.multicall3, number, guardianCall(network));
          const states = { after: at(block), before: at(block - 1) };
          return ofBlock.map(async (entry) => missing.set(entry, await this.#missingFields(entry, states)));
        }),
      );
    return entries.map((entry) => ({ ...entry, fields: { ...entry.fields, ...missing.get(entry) } }));
  }

  async #missingFields({ type, emitter, fields }: PartialEntry, states: States): Promise<Fields> {
    const runner = states.after;
    switch (type) {
      case 'ggAvaxTransferred': {
        const { convertToAssets } = contractAt(emitter, GG_AVAX_ABI, runner);
        const [rate, assets] = await Promise.all(
          [WAD, fields.shares as bigint].map((shares) => convertToAssets(shares)),
        );
        // Even without a supply, a share is worth 1 AVAX: only a node without the state returns 0.
        if (rate === 0n) throw new NoState();
        return { rate, assets };
      }
      case 'rewardsCycleStarted':
        return { number: Number(await contractAt(emitter, REWARDS_POOL_ABI, runner).getRewardsCycleCount()) };
      case 'unstakeFulfilled': {
        const queue = contractAt(emitter, WITHDRAW_QUEUE_ABI, runner);
        const { requester } = await queue.getRequestInfo(Number(fields.requestId));
        return { requester: knownAddress(requester) };
      }
      case 'upgradeQueued': {
        const [, eta] = await contractAt(emitter, TIMELOCK_ABI, runner).actions(String(fields.id));
        return { eta: Number(eta) || undefined };
      }
      default: {
        const node = String(fields.nodeID);
        const isEnd = type === 'minipoolStatusChanged' && fields.status === WITHDRAWABLE;
        const [owner, rewardAVAX] = await Promise.all([
          this.#owner(node, runner),
          isEnd ? this.#reward(node, states) : undefined,
        ]);
        return { owner, ...(isEnd && { rewardAVAX }) };
      }
    }
  }

  async #owner(node: string, runner: Runner): Promise<string | undefined> {
    const keyOf = await this.#keysOf(node, runner);
    return knownAddress(await readStoredAddress(runner, this.#chain.network.storage, keyOf('owner')));
  }

  /**
   * The owner's reward from a cycle that ended in the block: the growth of the owner's amounts, because a next cycle that
   * begins in the same transaction compounds the reward and clears it. Unknown if a relaunch has reset the amounts.
   */
  async #reward(node: string, { after, before }: States): Promise<bigint | undefined> {
    const [start, end] = await Promise.all([this.#amounts(node, before), this.#amounts(node, after)]);
    // Until August 2024 a next cycle cleared the creation time. A relaunch sets another one.
    const isRelaunched = end.creationTime !== 0n && end.creationTime !== start.creationTime;
    return isRelaunched ? undefined : end.total - start.total;
  }

  /** The owner's AVAX wei in a minipool: principal plus reward, since it was created or relaunched. */
  async #amounts(node: string, runner: Runner) {
    const keyOf = await this.#keysOf(node, runner);
    const { getUint } = contractAt(this.#chain.network.storage, STORAGE_ABI, runner);
    const [creationTime, principal, reward] = await Promise.all([
      getUint(keyOf('creationTime')),
      getUint(keyOf('avaxNodeOpAmt')),
      getUint(keyOf('avaxNodeOpRewardAmt')),
    ]);
    return { creationTime, total: principal + reward };
  }

  /** The keys of a node's record. Its index is stored plus one. */
  async #keysOf(node: string, runner: Runner): Promise<(field: string) => string> {
    const key = solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]);
    const { getUint } = contractAt(this.#chain.network.storage, STORAGE_ABI, runner);
    const index = this.#indexes.get(node) ?? (await getUint(key)) - 1n;
    this.#indexes.set(node, index);
    return (field) => recordKey('minipool', index, field);
  }
}

/**
 * The entries with the requester, where another entry names it: a request that is also closed in the block that fulfils
 * it is no longer in that block's state.
 */
function withRequesters(entries: readonly PartialEntry[]): PartialEntry[] {
  const requesters = new Map(entries.map(({ fields }) => [fields.requester && fields.requestId, fields.requester]));
  return entries.map((entry) => {
    const requester = requesters.get(entry.fields.requestId);
    return entry.type === 'unstakeFulfilled' && requester
      ? { ...entry, fields: { ...entry.fields, requester } }
      : entry;
  });
}

/** True if the state has fields of an entry that its log lacks. */
function lacksFields({ type, fields }: PartialEntry): boolean {
  if (type === 'unstakeFulfilled') return !fields.requester;
  // A node with a delegation need not have a minipool.
  const { node, staker } = declarationOf(type).participants;
  return ['ggAvaxTransferred', 'rewardsCycleStarted', 'upgradeQueued'].includes(type) || (node && staker) !== undefined;
}

/** The address as the ledger keeps it, or undefined for zero. */
function knownAddress(address: string): string | undefined {
  return address === ZeroAddress ? undefined : address.toLowerCase();
}
