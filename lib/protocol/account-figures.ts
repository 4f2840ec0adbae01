import type { PoolTotals } from '../contracts/gg-avax.ts';
import type { Minipool } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import { type CollateralTerms, ggpStakeForRatio } from '../rewards/collateral.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { mulWad } from '../values/wad.ts';
import type { Account } from './accounts.ts';

/** Figures of an account that no contract has: computed from what was read. */

/**
 * Whether these can be all minipools of an operator: until it is withdrawn, the operator's AVAX in them is their stake.
 * Source: `MinipoolManager`, wherever it calls `increaseAVAXStake` and `decreaseAVAXStake`.
 */
export function isWhole(minipools: readonly Minipool[], stake: OperatorStake | undefined): boolean {
  const unpaid = minipools.filter(({ status }) => AT_WORK.has(statusName(status)) || OVER.has(statusName(status)));
  return sum(unpaid.map(({ avaxNodeOpAmt }) => avaxNodeOpAmt)) === (stake?.avaxStaked ?? 0n);
}

/**
 * GGP wei that `withdrawGGP` would pay: what is not needed for the maximum collateral of the AVAX assigned. Source:
 * `Staking.withdrawGGP`.
 */
export function withdrawableOf(
  { ggpStaked, avaxAssigned, isLocked }: OperatorStake,
  terms: CollateralTerms | undefined,
): bigint | undefined {
  if (isLocked) return 0n;
  const needed =
    avaxAssigned === 0n
      ? 0n
      : terms && unlessReverted(() => ggpStakeForRatio(avaxAssigned, terms.maxCollateralizationRatio, terms));
  if (needed === undefined || isLocked === undefined) return undefined;
  return ggpStaked > needed ? ggpStaked - needed : 0n;
}

const AT_WORK = new Set<MinipoolStatus>(['prelaunch', 'launched', 'staking']);
/** `withdrawMinipoolFunds` pays in these. */
const OVER = new Set<MinipoolStatus>(['withdrawable', 'error']);

/** AVAX wei of the operator in minipools that are waiting or at work. */
export function stakedAVAX(minipools: readonly Minipool[]): bigint {
  return sum(atWork(minipools).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt));
}

function atWork(minipools: readonly Minipool[]): Minipool[] {
  return minipools.filter(({ status }) => AT_WORK.has(statusName(status)));
}

/** Minipools whose AVAX the operator can withdraw, each with how many wei. Source: `MinipoolManager.withdrawMinipoolFunds`. */
export function withdrawableMinipools(minipools: readonly Minipool[]): { nodeID: string; avax: bigint }[] {
  return minipools
    .filter(({ status }) => OVER.has(statusName(status)))
    .map(({ nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt }) => ({ nodeID, avax: avaxNodeOpAmt + avaxNodeOpRewardAmt }));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/**
 * AVAX wei that everything is worth: tokens and locks at `ggpInAVAX` (1e18) and at the redemption rate, requests at what
 * they promise. Undefined if a part is not known.
 */
export function totalAVAX(account: Account, totals: PoolTotals, ggpInAVAX: bigint | undefined): bigint | undefined {
  const { ggAvax, pstAvax = 0n, xGgp, locks = [], staking, minipools, withdrawals } = account;
  const lockedGgp = sum(locks.filter(({ token }) => token === 'TokenGGP').map(({ amount }) => amount));
  const lockedShares = sum(locks.filter(({ token }) => token === 'TokenggAVAX').map(({ amount }) => amount));
  const ggp = (xGgp?.ggp ?? 0n) + lockedGgp + (staking?.ggpStaked ?? 0n) + (staking?.ggpRewards ?? 0n);
  const ggpInAll = ggp === 0n ? 0n : ifKnown(mulWad, ggp, ggpInAVAX);
  const inMinipools = ifKnown(
    (owned) => stakedAVAX(owned) + sum(withdrawableMinipools(owned).map(({ avax }) => avax)),
    minipools,
  );
  return ifKnown(
    (inGgp, inPools) =>
      ggAvax.avax +
      pstAvax +
      convertToAssets(lockedShares, totals) +
      sum(withdrawals.map(({ expectedAssets }) => expectedAssets)) +
      inGgp +
      inPools,
    ggpInAll,
    inMinipools,
  );
}
