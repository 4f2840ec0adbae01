/** The minipools of some owners (lower case) at one block, if possible without reading those of everyone. */

import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type Minipool, readMinipools, readMinipoolsByNode } from '../contracts/minipool-manager.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import { isWhole } from './operator-figures.ts';

/**
 * Reads the records of the nodes that these owners have according to `list`, the minipools of a recent block. Undefined
 * without a list, or if the contract refuses.
 */
export async function readListedMinipools(
  state: ProtocolState,
  owners: readonly string[],
  list: readonly Minipool[] | undefined,
): Promise<Minipool[] | undefined> {
  const nodes = list?.filter(({ owner }) => owners.includes(owner)).map(({ nodeID }) => nodeID);
  return nodes && ifAnswered(readMinipoolsByNode(state, nodes));
}

/**
 * The minipools by owner, from the records of listed nodes. If those of an owner do not add up to its stake, the list was
 * too old: then all records are read. An owner whose minipools do not add up even so is left out.
 */
export async function completeMinipools(
  state: ProtocolState,
  owners: readonly Owner[],
  listed: readonly Minipool[] | undefined,
): Promise<ReadonlyMap<string, Minipool[]>> {
  const known = minipoolsByOwner(owners, listed);
  if (owners.every(({ owner }) => known.has(owner))) return known;
  return new Map([...known, ...minipoolsByOwner(owners, await ifAnswered(readMinipools(state)))]);
}

interface Owner {
  owner: string;
  /** Undefined if the owner has never staked. */
  stake: OperatorStake | undefined;
}

/** The minipools by owner, of those owners whose minipools add up to their stake. */
function minipoolsByOwner(
  owners: readonly Owner[],
  minipools: readonly Minipool[] | undefined,
): Map<string, Minipool[]> {
  if (!minipools) return new Map();
  const byOwner = Map.groupBy(minipools, ({ owner }) => owner);
  const owned = owners.map(({ owner, stake }) => ({ owner, stake, own: byOwner.get(owner) ?? [] }));
  return new Map(owned.filter(({ own, stake }) => isWhole(own, stake)).map(({ owner, own }) => [owner, own]));
}
