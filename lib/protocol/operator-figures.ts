/** Figures of a node operator that no contract returns. They are computed from the operator's stake and minipools. */

import type { ProtocolState } from '../chain/chain.ts';
import { ifAnswered } from '../chain/contract.ts';
import { type Minipool, readMinipools, readMinipoolsByNode } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import { type CollateralTerms, ggpStakeForRatio } from '../rewards/collateral.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { sum } from '../values/wad.ts';

/**
 * True if these can be all minipools of an operator: the operator's AVAX in minipools, until it is withdrawn, equals the
 * operator's AVAX stake. Source: the calls of `increaseAVAXStake` and `decreaseAVAXStake` in `MinipoolManager`.
 */
function isWhole(minipools: readonly Minipool[], stake: OperatorStake | undefined): boolean {
  const unpaid = inStatus(minipools, ...AT_WORK, ...OVER);
  return sum(unpaid.map(({ avaxNodeOpAmt }) => avaxNodeOpAmt)) === (stake?.avaxStaked ?? 0n);
}

/** The fall of GGP's price, in percent, after which {@link unneededGgp} can still be withdrawn. */
const PRICE_RESERVE_PERCENT = 10n;

/**
 * GGP wei above the maximum collateral of the assigned AVAX, now and after a fall of the price. They can be withdrawn unless
 * the stake is locked. Undefined without a price. Source: `Staking.withdrawGGP`.
 */
export function unneededGgp(
  { ggpStaked, avaxAssigned }: OperatorStake,
  terms: CollateralTerms | undefined,
): bigint | undefined {
  const lower = terms && { ...terms, ggpPriceInAVAX: (terms.ggpPriceInAVAX * (100n - PRICE_RESERVE_PERCENT)) / 100n };
  const needed =
    avaxAssigned === 0n
      ? 0n
      : lower && unlessReverted(() => ggpStakeForRatio(avaxAssigned, lower.maxCollateralizationRatio, lower));
  return ifKnown((ggp) => (ggpStaked > ggp ? ggpStaked - ggp : 0n), needed);
}

const AT_WORK = ['prelaunch', 'launched', 'staking'] as const;
/** The statuses in which `withdrawMinipoolFunds` pays. */
const OVER = ['withdrawable', 'error'] as const;

function inStatus(minipools: readonly Minipool[], ...names: readonly MinipoolStatus[]): Minipool[] {
  return minipools.filter(({ status }) => names.includes(statusName(status)));
}

/** The operator's AVAX wei in minipools that are waiting or at work. */
export function stakedAVAX(minipools: readonly Minipool[]): bigint {
  return sum(inStatus(minipools, ...AT_WORK).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt));
}

/** Minipools whose AVAX (wei) the operator can withdraw. Source: `MinipoolManager.withdrawMinipoolFunds`. */
export function withdrawableMinipools(minipools: readonly Minipool[]): { nodeID: string; avax: bigint }[] {
  return inStatus(minipools, ...OVER).map(({ nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt }) => {
    return { nodeID, avax: avaxNodeOpAmt + avaxNodeOpRewardAmt };
  });
}

/** Minipools that have not been launched. `cancelMinipool` pays their AVAX back, once its moratorium is over. */
export function waitingMinipools(minipools: readonly Minipool[]): Minipool[] {
  return inStatus(minipools, 'prelaunch');
}

/** Reads the records of the nodes that these owners have according to `list`, the minipools of a recent block, if known. */
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
