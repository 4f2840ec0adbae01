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
import { declarationOf } from './events/entry-types.ts';

/** Blocks whose state is read at once: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const TIMELOCK_ABI = ['function actions(bytes32 id) view returns (address target, uint256 eta, bytes data)'] as const;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

type Fields = PartialEntry['fields'];
/** Reads something of an entry from the state of a block. */
type StateRead<T> = (entry: PartialEntry, runner: Runner) => Promise<T>;

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
    const entries = withRequesters(partialEntries);
    const ends = entries.filter(
      ({ type, fields }) => type === 'minipoolStatusChanged' && fields.status === WITHDRAWABLE,
    );
    const [missing, after, before] = await Promise.all([
      this.#readStates(entries.filter(lacksFields), this.#missingFields),
      this.#readStates(ends, this.#totals),
      this.#readStates(ends, this.#totals, -1),
    ]);
    return entries.map((entry) => {
      const rewardAVAX = ifKnown(growth, before.get(entry), after.get(entry));
      const reward = ends.includes(entry) ? { rewardAVAX } : {};
      return { ...entry, fields: { ...entry.fields, ...missing.get(entry), ...reward } };
    });
  }

  readonly #missingFields: StateRead<Fields> = async ({ type, emitter, fields }, runner) => {
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
        const keyOf = await this.#keysOf(String(fields.nodeID), runner);
        return { owner: knownAddress(await readStoredAddress(runner, this.#chain.network.storage, keyOf('owner'))) };
      }
    }
  };

  /**
   * Reads the owner's amounts. The state after the block may lack a reward: a next cycle that begins in the same transaction
   * compounds and clears it. So a reward is the growth of these amounts in the block.
   */
  readonly #totals: StateRead<Totals> = async ({ fields }, runner) => {
    const keyOf = await this.#keysOf(String(fields.nodeID), runner);
    const { getUint } = contractAt(this.#chain.network.storage, STORAGE_ABI, runner);
    const [creationTime, principal, reward] = await Promise.all([
      getUint(keyOf('creationTime')),
      getUint(keyOf('avaxNodeOpAmt')),
      getUint(keyOf('avaxNodeOpRewardAmt')),
    ]);
    return { creationTime, total: principal + reward };
  };

  /** The keys of a node's record. Its index is stored plus one. */
  async #keysOf(node: string, runner: Runner): Promise<(field: string) => string> {
    const key = solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]);
    const { getUint } = contractAt(this.#chain.network.storage, STORAGE_ABI, runner);
    const index = this.#indexes.get(node) ?? (await getUint(key)) - 1n;
    this.#indexes.set(node, index);
    return (field) => recordKey('minipool', index, field);
  }

  /**
   * Reads each entry's values from the state after its block or, with an `offset` of −1, before it. Calls of a block share
   * an `eth_call`, and many blocks a request.
   */
  async #readStates<T>(
    entries: readonly PartialEntry[],
    read: StateRead<T>,
    offset: 0 | -1 = 0,
  ): Promise<ReadonlyMap<PartialEntry, T>> {
    const { rpc, network } = this.#chain;
    const answers = new Map<PartialEntry, T>();
    for (const group of chunked([...Map.groupBy(entries, ({ block }) => block)], BLOCKS_AT_ONCE))
      await Promise.all(
        group.flatMap(([block, ofBlock]) => {
          const runner = new Snapshot(rpc, network.multicall3, block + offset, guardianCall(network));
          return ofBlock.map(async (entry) => answers.set(entry, await read(entry, runner)));
        }),
      );
    return answers;
  }
}

/** The growth of an owner's amounts; unknown if a relaunch in the block has reset them. */
function growth(before: Totals, after: Totals): bigint | undefined {
  // Until August 2024 a next cycle cleared the creation time. A relaunch sets another one.
  const isRelaunched = after.creationTime !== 0n && after.creationTime !== before.creationTime;
  return isRelaunched ? undefined : after.total - before.total;
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
