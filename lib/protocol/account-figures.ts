/** Figures of an account that no contract returns. They are computed from the account's other values. */

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
 * True if these can be all minipools of an operator: the operator's AVAX in minipools, until it is withdrawn, equals the
 * operator's AVAX stake. Source: the calls of `increaseAVAXStake` and `decreaseAVAXStake` in `MinipoolManager`.
 */
export function isWhole(minipools: readonly Minipool[], stake: OperatorStake | undefined): boolean {
  const unpaid = minipools.filter(({ status }) => AT_WORK.has(statusName(status)) || OVER.has(statusName(status)));
  return sum(unpaid.map(({ avaxNodeOpAmt }) => avaxNodeOpAmt)) === (stake?.avaxStaked ?? 0n);
}

/**
 * GGP wei above the maximum collateral of the assigned AVAX. They can be withdrawn unless the stake is locked. Undefined
 * without a price. Source: `Staking.withdrawGGP`.
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
/** The statuses in which `withdrawMinipoolFunds` pays. */
const OVER = new Set<MinipoolStatus>(['withdrawable', 'error']);

/** The operator's AVAX wei in minipools that are waiting or at work. */
export function stakedAVAX(minipools: readonly Minipool[]): bigint {
  return sum(atWork(minipools).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt));
}

function atWork(minipools: readonly Minipool[]): Minipool[] {
  return minipools.filter(({ status }) => AT_WORK.has(statusName(status)));
}

/** Minipools whose AVAX (wei) the operator can withdraw. Source: `MinipoolManager.withdrawMinipoolFunds`. */
export function withdrawableMinipools(minipools: readonly Minipool[]): { nodeID: string; avax: bigint }[] {
  return minipools
    .filter(({ status }) => OVER.has(statusName(status)))
    .map(({ nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt }) => ({ nodeID, avax: avaxNodeOpAmt + avaxNodeOpRewardAmt }));
}

/** Minipools that have not been launched. `cancelMinipool` pays their AVAX back, once its moratorium is over. */
export function waitingMinipools(minipools: readonly Minipool[]): Minipool[] {
  return minipools.filter(({ status }) => statusName(status) === 'prelaunch');
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Rates that give the value of tokens: the pool's totals, and AVAX wei for one whole GGP. */
export interface Rates {
  totals: PoolTotals;
  ggpInAVAX: bigint | undefined;
}

/** Value of an amount of a token in AVAX wei. For a vault's shares, `amount` is their value in the vault's asset. */
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
 * Total value in AVAX wei, including funds that cannot be taken out now: tokens and locks at `ggpInAVAX` and at the
 * redemption rate, vaults' shares at their vault's rate, requests at their present value. Undefined if a part is unknown.
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

/** The sum of these amounts; undefined if one of them is undefined. */
export function sumKnown(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce<bigint | undefined>((total, amount) => ifKnown((a, b) => a + b, total, amount), 0n);
}
