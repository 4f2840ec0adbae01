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
import { ifKnown } from '../runtime/if-known.ts';
import { chunked } from '../values/arrays.ts';
import { WAD } from '../values/wad.ts';
import type { PartialEntry } from './contract-events.ts';
import { declarationOf, type EntryType } from './events/entry-types.ts';

/** Blocks whose state or header is read at once: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const TIMELOCK_ABI = ['function actions(bytes32 id) view returns (address target, uint256 eta, bytes data)'] as const;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

type StateRead<T> = (runner: Runner) => Promise<T>;

/** The owner's AVAX wei in a minipool: principal plus reward, since it was created or relaunched. */
interface Totals {
  creationTime: bigint;
  total: bigint;
}

/** Completes partial entries of one network. Remembers the index of each node, which never changes. */
export class EntryCompleter {
  readonly #chain: Chain;
  readonly #indexes = new Map<string, bigint>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /**
   * Returns the entries with the fields that their logs lack. Throws UPSTREAM_UNAVAILABLE if no provider keeps the state
   * of their blocks.
   */
  async complete(partialEntries: readonly PartialEntry[]): Promise<PartialEntry[]> {
    await this.#readIndexes(partialEntries);
    const known = withRequesters(partialEntries);
    const [after, earned] = await Promise.all([
      this.#readStates(known, (draft) => this.#missingFields(draft)),
      this.#readEarned(known),
    ]);
    return known.map((draft) => ({
      ...draft,
      fields: { ...draft.fields, ...after.get(draft), ...earned.get(draft) },
    }));
  }

  /** The function that reads a draft's missing fields; undefined if no field is missing. */
  #missingFields({ type, emitter, fields }: PartialEntry): StateRead<PartialEntry['fields']> | undefined {
    switch (type) {
      case 'ggAvaxTransferred':
        return async (runner) => {
          const { convertToAssets } = contractAt(emitter, GG_AVAX_ABI, runner);
          const [rate, assets] = await Promise.all(
            [WAD, fields.shares as bigint].map((shares) => convertToAssets(shares)),
          );
          // Even without a supply, a share is worth 1 AVAX: only a node without the state returns 0.
          if (rate === 0n) throw new NoState();
          return { rate, assets };
        };
      case 'rewardsCycleStarted':
        return async (runner) => {
          const rewardsPool = contractAt(emitter, REWARDS_POOL_ABI, runner);
          return { number: Number(await rewardsPool.getRewardsCycleCount()) };
        };
      case 'unstakeFulfilled': {
        if (fields.requester) return undefined;
        return async (runner) => {
          const queue = contractAt(emitter, WITHDRAW_QUEUE_ABI, runner);
          const { requester } = await queue.getRequestInfo(Number(fields.requestId));
          return { requester: knownAddress(requester) };
        };
      }
      case 'upgradeQueued':
        return async (runner) => {
          const [, eta] = await contractAt(emitter, TIMELOCK_ABI, runner).actions(String(fields.id));
          return { eta: Number(eta) || undefined };
        };
      default: {
        if (!isOfMinipool(type)) return undefined;
        const key = this.#keyOf(fields.nodeID, 'owner');
        const { storage } = this.#chain.network;
        return async (runner) => ({ owner: knownAddress(await readStoredAddress(runner, storage, key)) });
      }
    }
  }

  /**
   * Reads the rewards of owners in the cycles that ended. The state after the block may lack them: a next cycle that
   * begins in the same transaction compounds the reward and clears it. So a reward is the growth of the owner's amounts
   * in the block; unknown if a relaunch in the block has reset these amounts.
   */
  async #readEarned(
    partialEntries: readonly PartialEntry[],
  ): Promise<ReadonlyMap<PartialEntry, PartialEntry['fields']>> {
    const ends = partialEntries.filter(
      ({ type, fields }) => type === 'minipoolStatusChanged' && fields.status === WITHDRAWABLE,
    );
    const [after, before] = await Promise.all(
      ([0, -1] as const).map((offset) => this.#readStates(ends, this.#totals, offset)),
    );
    return new Map(
      ends.map((draft) => [draft, { rewardAVAX: ifKnown(growth, before?.get(draft), after?.get(draft)) }]),
    );
  }

  /** Reads the {@link Totals} of a minipool. */
  readonly #totals = ({ fields: { nodeID } }: PartialEntry): StateRead<Totals> => {
    const keyOf = (field: string) => this.#keyOf(nodeID, field);
    return async (runner) => {
      const { getUint } = this.#storage(runner);
      const [creationTime, principal, reward] = await Promise.all([
        getUint(keyOf('creationTime')),
        getUint(keyOf('avaxNodeOpAmt')),
        getUint(keyOf('avaxNodeOpRewardAmt')),
      ]);
      return { creationTime, total: principal + reward };
    };
  };

  #storage(runner: Runner) {
    return contractAt(this.#chain.network.storage, STORAGE_ABI, runner);
  }

  #keyOf(nodeID: PartialEntry['fields'][string], field: string): string {
    return recordKey('minipool', this.#indexes.get(String(nodeID)) ?? -1n, field);
  }

  /** Reads the indexes of nodes not seen before. They are stored plus one. */
  async #readIndexes(partialEntries: readonly PartialEntry[]): Promise<void> {
    const byNode = new Map(partialEntries.map((draft) => [nodeOf(draft), draft]));
    await this.#readStates([...byNode.values()], (draft) => {
      const node = nodeOf(draft);
      if (node === undefined || this.#indexes.has(node)) return undefined;
      const key = solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]);
      return async (runner) => this.#indexes.set(node, (await this.#storage(runner).getUint(key)) - 1n);
    });
  }

  /**
   * Reads `readOf` for each draft from the state after its block or, with an `offset` of −1, before it. One `eth_call`
   * per block, many blocks per request.
   */
  async #readStates<T>(
    partialEntries: readonly PartialEntry[],
    readOf: (draft: PartialEntry) => StateRead<T> | undefined,
    offset: 0 | -1 = 0,
  ): Promise<ReadonlyMap<PartialEntry, T>> {
    const reads = partialEntries.flatMap((draft) => {
      const read = readOf(draft);
      return read ? { block: draft.block + offset, draft, read } : [];
    });
    const answers = new Map<PartialEntry, T>();
    await inGroups([...Map.groupBy(reads, ({ block }) => block)], ([block, ofBlock]) => {
      const { rpc, network } = this.#chain;
      const runner = new Snapshot(rpc, network.multicall3, block, guardianCall(network));
      return Promise.all(ofBlock.map(async ({ draft, read }) => answers.set(draft, await read(runner))));
    });
    return answers;
  }
}

function growth(before: Totals, after: Totals): bigint | undefined {
  // Until August 2024 a next cycle cleared the creation time. A relaunch sets another one.
  const isRelaunched = after.creationTime !== 0n && after.creationTime !== before.creationTime;
  return isRelaunched ? undefined : after.total - before.total;
}

/** Calls `read` for each block, one group of blocks after another, and returns the results in order. */
async function inGroups<B, T>(blocks: readonly B[], read: (block: B) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (const group of chunked(blocks, BLOCKS_AT_ONCE)) answers.push(...(await Promise.all(group.map(read))));
  return answers;
}

/**
 * The drafts with the requester, where another draft names it: a request that is also closed in the block that fulfils
 * it is no longer in that block's state.
 */
function withRequesters(partialEntries: readonly PartialEntry[]): PartialEntry[] {
  const named = partialEntries.filter(({ fields }) => fields.requester);
  const requesters = new Map(named.map(({ fields }) => [fields.requestId, fields.requester]));
  return partialEntries.map((draft) =>
    draft.type === 'unstakeFulfilled'
      ? { ...draft, fields: { ...draft.fields, requester: requesters.get(draft.fields.requestId) } }
      : draft,
  );
}

/** The node whose record completes a draft, if there is one. A node with a delegation need not have a minipool. */
function nodeOf({ type, fields: { nodeID } }: PartialEntry): string | undefined {
  return isOfMinipool(type) ? String(nodeID) : undefined;
}

function isOfMinipool(type: EntryType): boolean {
  const { node, staker } = declarationOf(type).participants;
  return node !== undefined && staker !== undefined;
}

/** The address as the ledger keeps it, or undefined for zero. */
function knownAddress(address: string): string | undefined {
  return address === ZeroAddress ? undefined : address.toLowerCase();
}
