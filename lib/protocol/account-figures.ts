/** Figures of an account that no contract has: computed from what was read. */

import type { PoolTotals } from '../contracts/gg-avax.ts';
import type { Minipool } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import type { TokenName } from '../contracts/other-holdings.ts';
import { type CollateralTerms, ggpStakeForRatio } from '../rewards/collateral.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { mulWad } from '../values/wad.ts';
import type { Holdings } from './accounts.ts';

/**
 * Whether these can be all minipools of an operator: until it is withdrawn, the operator's AVAX in them is their stake.
 * Source: `MinipoolManager`, wherever it calls `increaseAVAXStake` and `decreaseAVAXStake`.
 */
export function isWhole(minipools: readonly Minipool[], stake: OperatorStake | undefined): boolean {
  const unpaid = minipools.filter(({ status }) => AT_WORK.has(statusName(status)) || OVER.has(statusName(status)));
  return sum(unpaid.map(({ avaxNodeOpAmt }) => avaxNodeOpAmt)) === (stake?.avaxStaked ?? 0n);
}

/**
 * GGP wei that are not needed for the maximum collateral of the AVAX assigned, and so can be withdrawn unless the stake is
 * locked; undefined without a price. Source: `Staking.withdrawGGP`.
 */
export function unneededGgp(
  { ggpStaked, avaxAssigned }: OperatorStake,
  terms: CollateralTerms | undefined,
): bigint | undefined {
  const needed =
    avaxAssigned === 0n
      ? 0n
      : terms && unlessReverted(() => ggpStakeForRatio(avaxAssigned, terms.maxCollateralizationRatio, terms));
  return ifKnown((ggp) => (ggpStaked > ggp ? ggpStaked - ggp : 0n), needed);
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

/** Minipools that have not been launched. `cancelMinipool` pays for them, once its moratorium is over. */
export function waitingMinipools(minipools: readonly Minipool[]): Minipool[] {
  return minipools.filter(({ status }) => statusName(status) === 'prelaunch');
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** What tokens are worth: the pool's totals, and AVAX wei for one whole GGP. */
export interface Rates {
  totals: PoolTotals;
  ggpInAVAX: bigint | undefined;
}

/** The AVAX wei that so much of a token is worth; of a vault's shares, `amount` is their worth in its asset. */
export function valueAVAX(token: TokenName, amount: bigint, { totals, ggpInAVAX }: Rates): bigint | undefined {
  switch (token) {
    case 'GGP':
    case 'xGGP':
      return amount === 0n ? 0n : ifKnown(mulWad, amount, ggpInAVAX);
    case 'ggAVAX':
      return convertToAssets(amount, totals);
    default:
      return amount;
  }
}

/**
 * AVAX wei that everything is worth, whether or not it can be had now: tokens and locks at `ggpInAVAX` and at the
 * redemption rate, vaults' shares at what their vault says, requests at what they are worth now. Undefined if a part is not known.
 */
export function totalAVAX(account: Holdings, rates: Rates): bigint | undefined {
  const { ggAvax, pstAvax, xGgp, xAvax, locks = [], staking, minipools, withdrawals } = account;
  const lockedAs = (names: readonly TokenName[]) => locks.filter(({ token }) => names.includes(token));
  const inGgp = sumKnown(lockedAs(['GGP', 'xGGP']).map(({ assets }) => assets));
  const ggp = ifKnown(
    (locked) => locked + (xGgp?.assets ?? 0n) + (staking?.ggpStaked ?? 0n) + (staking?.ggpRewards ?? 0n),
    inGgp,
  );
  return sumKnown([
    ggAvax.avax,
    pstAvax?.balance ?? 0n,
    xAvax?.assets ?? 0n,
    ifKnown((amount) => valueAVAX('GGP', amount, rates), ggp),
    ...lockedAs(['ggAVAX', 'pstAVAX', 'xAVAX', 'WAVAX']).map(({ token, assets }) =>
      ifKnown((amount) => valueAVAX(token, amount, rates), assets),
    ),
    ...withdrawals.map(({ assets }) => assets),
    ifKnown((owned) => stakedAVAX(owned) + sum(withdrawableMinipools(owned).map(({ avax }) => avax)), minipools),
  ]);
}

/** Undefined if one is. */
export function sumKnown(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce<bigint | undefined>((total, amount) => ifKnown((a, b) => a + b, total, amount), 0n);
}
