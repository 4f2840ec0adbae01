/** The value of an account. No contract returns it. */

import type { PoolTotals } from '../contracts/gg-avax.ts';
import type { TokenName } from '../contracts/other-holdings.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { mulWad, sum } from '../values/wad.ts';
import type { Holdings } from './holdings.ts';
import { stakedAVAX, withdrawableMinipools } from './operator-figures.ts';

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
