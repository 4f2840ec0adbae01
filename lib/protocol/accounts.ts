/** Accounts: the holdings of addresses at one block, and the claims that follow from them. */

import { readDataset } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import type { PoolTotals } from '../contracts/gg-avax.ts';
import type { Lock } from '../contracts/other-holdings.ts';
import { type Money, valueAt } from '../history/day-prices.ts';
import { type BestPrices, readCachedPools } from '../prices/current.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { createLabels } from '../runtime/labels.ts';
import { mulWad, sum } from '../values/wad.ts';
import { type Claim, listClaimsLater, readClaimsNow } from './claims.ts';
import { type Holdings, readRawHoldings, toHoldings } from './holdings.ts';
import { completeMinipools, readListedMinipools, stakedAVAX, withdrawableMinipools } from './operator-figures.ts';
import { protocolDataset } from './protocol.ts';
import { readProtocolAtBlock } from './protocol-at-block.ts';

export const MAX_ADDRESSES = 50;

export interface Account extends Holdings {
  /** The claims that the chain accepts now. Undefined if the provider does not simulate transactions of other senders. */
  now: Claim[] | undefined;
  /** The claims that it does not accept yet. Undefined if the minipools, or the moratorium of a waiting one, are unknown. */
  later: Claim[] | undefined;
  totals: Totals;
}

/** A total value in AVAX (wei), USD and EUR (scaled by 1e18). Undefined if a part or a price is unknown. */
export type Totals = { avax: bigint | undefined } & Money;

/**
 * The accounts of these addresses, in their order. The calls of one tick share requests, so up to ten addresses take three:
 * the contracts' answers, values that depend on them, and the simulations of all transactions that take something out.
 * Throws if there is no pool.
 */
export async function readAccounts(context: ChainContext, addresses: readonly string[]) {
  const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
  const owners = addresses.map((address) => address.toLowerCase());
  const readOwn = () =>
    Promise.all([readProtocolAtBlock(state, pools), ...owners.map((owner) => readRawHoldings(state, owner))]);
  let own: ReturnType<typeof readOwn> | undefined;
  const read: typeof protocolDataset.read = (...loading) => {
    // In the same requests as the list.
    own = readOwn();
    own.catch(() => {});
    return protocolDataset.read(...loading);
  };
  const list = await ifAvailable(context, 'the list of minipools', () =>
    readDataset(context, { ...protocolDataset, read }),
  );
  const [[protocol, ...raw], listed] = await Promise.all([
    own ?? readOwn(),
    readListedMinipools(state, owners, list?.value.minipools),
  ]);
  const { prices, block } = protocol;
  const minipools = await completeMinipools(state, raw, listed);
  const holdings = raw.map((each) => toHoldings(each, minipools.get(each.owner), protocol));
  const labels = createLabels(state.network);
  const accounts = holdings.map(async (each): Promise<Account> => {
    const totals = toTotals(totalAVAX(each, protocol.totals, prices.ggpInAVAX?.price), prices);
    // A contract that holds funds of others sends no transactions of its own.
    if (labels.has(each.address.toLowerCase())) return { ...each, now: [], later: [], totals };
    const now = await ifAvailable(context, 'the simulation of the transactions of an account', () =>
      readClaimsNow(state, each, protocol),
    );
    return { ...each, now, later: listClaimsLater(each, protocol, now), totals };
  });
  const each = await Promise.all(accounts);
  return { accounts: each, totals: toTotals(sumKnown(each.map(({ totals }) => totals.avax)), prices), block };
}

/**
 * Total value in AVAX wei, including funds that cannot be taken out now: tokens and locks at `ggpInAVAX` (AVAX wei for one
 * GGP) and at the redemption rate, vaults' shares at their vault's rate, requests at their present value. Undefined if a
 * part is unknown.
 */
function totalAVAX(account: Holdings, totals: PoolTotals, ggpInAVAX: bigint | undefined): bigint | undefined {
  const { ggAvax, pstAvax, xGgp, xAvax, locks = [], staking, minipools, withdrawals } = account;
  const isInGgp = ({ token }: Lock) => token === 'GGP' || token === 'xGGP';
  const staked = (staking?.ggpStaked ?? 0n) + (staking?.ggpRewards ?? 0n);
  const ggp = sumKnown([xGgp?.assets ?? 0n, staked, ...locks.filter(isInGgp).map(({ assets }) => assets)]);
  return sumKnown([
    ggAvax.avax,
    pstAvax ?? 0n,
    xAvax?.assets ?? 0n,
    ggp === 0n ? 0n : ifKnown(mulWad, ggp, ggpInAVAX),
    ...locks
      .filter((lock) => !isInGgp(lock))
      .map(({ token, assets }) => (token === 'ggAVAX' ? ifKnown(convertToAssets, assets, totals) : assets)),
    ...withdrawals.map(({ assets }) => assets),
    ifKnown((owned) => stakedAVAX(owned) + sum(withdrawableMinipools(owned).map(({ avax }) => avax)), minipools),
  ]);
}

function toTotals(avax: bigint | undefined, { avaxInUSD, eurInUSD }: BestPrices): Totals {
  return { avax, ...valueAt(avax, 'avaxInUSD', { avaxInUSD: avaxInUSD?.price, eurInUSD: eurInUSD?.price }) };
}

/** The sum of these amounts; undefined if one of them is undefined. */
function sumKnown(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce<bigint | undefined>((total, amount) => ifKnown((a, b) => a + b, total, amount), 0n);
}
