/**
 * Completes entries, once, when they are recorded, with fields that their logs lack: rates, owners, requesters and cycle
 * numbers from the state after the block, owners' rewards from the states before and after it. Like history, this needs
 * an archive node.
 */

import { solidityPackedKeccak256, ZeroAddress } from 'ethers';
import { type Chain, guardianCall, readStoredAddress, recordKey, STORAGE_ABI } from '../chain/chain.ts';
import { contractAt, ifAnswered, type Runner } from '../chain/contract.ts';
import { Snapshot } from '../chain/snapshot.ts';
import { NoState } from '../chain/upstream/failures.ts';
import { GG_AVAX_ABI } from '../contracts/gg-avax.ts';
import { REWARDS_POOL_ABI } from '../contracts/ggp.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { WITHDRAW_QUEUE_ABI } from '../contracts/withdraw-queue.ts';
import { chunked } from '../values/arrays.ts';
import { placeOf } from '../values/block.ts';
import { WAD } from '../values/wad.ts';
import type { PartialEntry } from './contract-events.ts';
import type { EntryType } from './events/entry-types.ts';

/** Blocks whose state is read at once: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const TIMELOCK_ABI = ['function actions(bytes32 id) view returns (address target, uint256 eta, bytes data)'] as const;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

type Fields = PartialEntry['fields'];

/** The states after an entry's block, and before it, and the block's entries. */
interface States {
  after: Runner;
  before: Runner;
  storage: string;
  ofBlock: readonly PartialEntry[];
}

/** Reads of the fields that the logs of these types lack. */
const READS: {
  [Type in EntryType]?: (entry: PartialEntry, states: States) => Promise<Fields>;
} = {
  ggAvaxTransferred: async ({ emitter, fields }, { after }) => {
    const { convertToAssets } = contractAt(emitter, GG_AVAX_ABI, after);
    const [rate, assets] = await Promise.all([WAD, fields.shares as bigint].map((shares) => convertToAssets(shares)));
    // Even without a supply, a share is worth 1 AVAX: only a node without the state returns 0.
    if (rate === 0n) throw new NoState();
    return { rate, assets };
  },
  rewardsCycleStarted: async ({ emitter }, { after }) => ({
    number: Number(await contractAt(emitter, REWARDS_POOL_ABI, after).getRewardsCycleCount()),
  }),
  unstakeFulfilled: async ({ emitter, fields: { requestId } }, { after, before, ofBlock }) => {
    const readRequester = async (state: Runner) => {
      const { requester } = await contractAt(emitter, WITHDRAW_QUEUE_ABI, state).getRequestInfo(Number(requestId));
      return knownAddress(requester);
    };
    const made = ofBlock.find(({ fields }) => fields.requester && fields.requestId === requestId);
    // The state after a block lacks requests that were closed in it.
    return { requester: made?.fields.requester ?? (await readRequester(after)) ?? (await readRequester(before)) };
  },
  upgradeQueued: async ({ emitter, fields }, { after }) => {
    const [, eta] = await contractAt(emitter, TIMELOCK_ABI, after).actions(String(fields.id));
    return { eta: Number(eta) || undefined };
  },
  ggpSlashed: readOwner,
  minipoolCreated: readOwner,
  minipoolLaunched: readOwner,
  minipoolStatusChanged: async (entry, states) => {
    if (entry.fields.status !== WITHDRAWABLE) return readOwner(entry, states);
    const [owner, reward] = await Promise.all([readOwner(entry, states), readReward(entry, states)]);
    return { ...owner, ...reward };
  },
};

/**
 * Returns the entries by place, with the fields that their logs lack. The calls of a block share an `eth_call`, and many
 * blocks a request. `isRefused`: a call reverts. Throws UPSTREAM_UNAVAILABLE if no provider keeps the state of their blocks.
 */
export async function completeEntries(
  { rpc, network }: Chain,
  partialEntries: readonly PartialEntry[],
): Promise<Map<string, PartialEntry>> {
  const completed = new Map<string, PartialEntry>();
  for (const group of chunked([...Map.groupBy(partialEntries, ({ block }) => block)], BLOCKS_AT_ONCE))
    await Promise.all(
      group.flatMap(([block, ofBlock]) => {
        const at = (number: number) => new Snapshot(rpc, number, guardianCall(network));
        const states = { after: at(block), before: at(block - 1), storage: network.storage, ofBlock };
        return ofBlock.map(async (entry) => {
          const missing = await ifAnswered(READS[entry.type]?.(entry, states) ?? Promise.resolve({}));
          const isRefused = missing === undefined && { isRefused: true };
          completed.set(placeOf(entry), { ...entry, fields: { ...entry.fields, ...missing }, ...isRefused });
        });
      }),
    );
  return completed;
}

async function readOwner({ fields }: PartialEntry, { after, storage }: States) {
  const keyOf = await keysOf(String(fields.nodeID), storage, after);
  return { owner: knownAddress(await readStoredAddress(after, storage, keyOf('owner'))) };
}

/**
 * The owner's reward from a cycle that ended in the block: the growth of the owner's amounts, because a next cycle that
 * begins in the same transaction compounds the reward and clears it. Unknown if a relaunch has reset the amounts.
 */
async function readReward({ fields }: PartialEntry, { after, before, storage }: States) {
  const node = String(fields.nodeID);
  const [start, end] = await Promise.all([readAmounts(node, storage, before), readAmounts(node, storage, after)]);
  // Until August 2024 a next cycle cleared the creation time. A relaunch sets another one.
  const isRelaunched = end.creationTime !== 0n && end.creationTime !== start.creationTime;
  return { rewardAVAX: isRelaunched ? undefined : end.total - start.total };
}

/** The owner's AVAX wei in a minipool: principal plus reward, since it was created or relaunched. */
async function readAmounts(node: string, storage: string, runner: Runner) {
  const keyOf = await keysOf(node, storage, runner);
  const { getUint } = contractAt(storage, STORAGE_ABI, runner);
  const [creationTime, principal, reward] = await Promise.all([
    getUint(keyOf('creationTime')),
    getUint(keyOf('avaxNodeOpAmt')),
    getUint(keyOf('avaxNodeOpRewardAmt')),
  ]);
  return { creationTime, total: principal + reward };
}

/** The keys of a node's record. Its index is stored plus one. */
async function keysOf(node: string, storage: string, runner: Runner): Promise<(field: string) => string> {
  const key = solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]);
  const index = (await contractAt(storage, STORAGE_ABI, runner).getUint(key)) - 1n;
  return (field) => recordKey('minipool', index, field);
}

/** The address as the ledger keeps it, or undefined for zero. */
function knownAddress(address: string): string | undefined {
  return address === ZeroAddress ? undefined : address.toLowerCase();
}
