/** Figures of a node operator that no contract returns. They are computed from the operator's stake and minipools. */

import type { ProtocolState } from '../chain/chain.ts';
import { ifAnswered } from '../chain/contract.ts';
import { type Minipool, readMinipools, readMinipoolsByNode } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import { type CollateralTerms, ggpStakeForRatio } from '../rewards/collateral.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { sum } from '../values/wad.ts';

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
  const needed = ({ ggpPriceInAVAX: price, maxCollateralizationRatio: ratio }: CollateralTerms) =>
    ggpStakeForRatio(avaxAssigned, ratio, { ggpPriceInAVAX: (price * (100n - PRICE_RESERVE_PERCENT)) / 100n });
  const bound = avaxAssigned === 0n ? 0n : terms && unlessReverted(() => needed(terms));
  return ifKnown((ggp) => (ggpStaked > ggp ? ggpStaked - ggp : 0n), bound);
}

/** The statuses in which AVAX is out with a minipool. */
export const VALIDATING_STATUSES = ['launched', 'staking'] as const;
const AT_WORK = ['prelaunch', ...VALIDATING_STATUSES] as const;
/** The statuses in which `withdrawMinipoolFunds` pays. */
const OVER = ['withdrawable', 'error'] as const;

export function inStatus(minipools: readonly Minipool[], ...names: readonly MinipoolStatus[]): Minipool[] {
  return minipools.filter(({ status }) => names.includes(statusName(status)));
}

/** The operator's AVAX wei in minipools that are waiting or at work. */
export function stakedAVAX(minipools: readonly Minipool[]): bigint {
  return sum(inStatus(minipools, ...AT_WORK).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt));
}

/** Minipools whose AVAX (wei) the operator can withdraw. Source: `MinipoolManager.withdrawMinipoolFunds`. */
export function withdrawableMinipools(minipools: readonly Minipool[]): { nodeID: string; avax: bigint }[] {
  const over = inStatus(minipools, ...OVER);
  return over.map((each) => ({ nodeID: each.nodeID, avax: each.avaxNodeOpAmt + each.avaxNodeOpRewardAmt }));
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

/** `stake` is undefined if the owner has never staked. */
type Owner = { owner: string; stake: OperatorStake | undefined };

/**
 * The minipools by owner, of those owners whose AVAX in minipools, until it is withdrawn, equals their AVAX stake. Source: the
 * calls of `increaseAVAXStake` and `decreaseAVAXStake` in `MinipoolManager`.
 */
function minipoolsByOwner(
  owners: readonly Owner[],
  minipools: readonly Minipool[] | undefined,
): Map<string, Minipool[]> {
  if (!minipools) return new Map();
  const byOwner = Map.groupBy(minipools, ({ owner }) => owner);
  const owned = owners.flatMap(({ owner, stake }) => {
    const own = byOwner.get(owner) ?? [];
    const unpaid = sum(inStatus(own, ...AT_WORK, ...OVER).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt));
    return unpaid === (stake?.avaxStaked ?? 0n) ? [[owner, own] as const] : [];
  });
  return new Map(owned);
}
