/**
 * Completes entries, when they are recorded, with fields that their logs lack: rates, owners, requesters and cycle numbers from
 * the state after the block, owners' rewards from the states before and after it.
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
import { sum, WAD } from '../values/wad.ts';
import type { PartialEntry } from './contract-events.ts';
import type { EntryType } from './events/entry-types.ts';

/** Blocks whose state is read at once: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const TIMELOCK_ABI = ['function actions(bytes32 id) view returns (address target, uint256 eta, bytes data)'] as const;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

type Fields = PartialEntry['fields'];

/** The states after and before an entry's block, and the block's entries. */
type States = Record<'after' | 'before', Runner> & { storage: string; ofBlock: readonly PartialEntry[] };

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
    const readRequester = async (state: Runner) =>
      knownAddress((await contractAt(emitter, WITHDRAW_QUEUE_ABI, state).getRequestInfo(Number(requestId))).requester);
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
    const reward = entry.fields.status === WITHDRAWABLE && readReward(entry, states);
    const [known, owner] = await Promise.all([reward, readOwner(entry, states)]);
    return { ...known, ...owner };
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
  const keyOf = await keysOf(fields.nodeID, storage, after);
  return { owner: knownAddress(await readStoredAddress(after, storage, keyOf('owner'))) };
}

/**
 * The owner's reward from a cycle that ended in the block: the growth of the owner's amounts, because a next cycle that
 * begins in the same transaction compounds the reward and clears it. Unknown if a relaunch or a withdrawal has reset them.
 */
async function readReward({ fields }: PartialEntry, { after, before, storage }: States) {
  const readAmounts = async (state: Runner) => {
    const keyOf = await keysOf(fields.nodeID, storage, state);
    const { getUint } = contractAt(storage, STORAGE_ABI, state);
    return Promise.all(AMOUNTS.map((field) => getUint(keyOf(field))));
  };
  const [[created, ...start], [relaunched, ...end]] = await Promise.all([readAmounts(before), readAmounts(after)]);
  const growth = sum(end) - sum(start);
  // Until August 2024 a next cycle cleared the creation time. A relaunch sets another one.
  const isReset = (relaunched !== 0n && relaunched !== created) || growth < 0n;
  return { rewardAVAX: isReset ? undefined : growth };
}

/** The creation time, and the owner's AVAX wei in a minipool since it was created or relaunched: principal and reward. */
const AMOUNTS = ['creationTime', 'avaxNodeOpAmt', 'avaxNodeOpRewardAmt'];

/** The keys of a node's record. Its index is stored plus one. */
async function keysOf(node: Fields[string], storage: string, runner: Runner): Promise<(field: string) => string> {
  const key = solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]);
  const index = (await contractAt(storage, STORAGE_ABI, runner).getUint(key)) - 1n;
  return (field) => recordKey('minipool', index, field);
}

/** The address as the ledger keeps it, or undefined for zero. */
function knownAddress(address: string): string | undefined {
  return address === ZeroAddress ? undefined : address.toLowerCase();
}
