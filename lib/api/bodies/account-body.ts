/** The fields of an account: all holdings of an address. */

import * as z from 'zod/mini';
import type { Lock, VaultShares } from '../../contracts/other-holdings.ts';
import type { BestPrices } from '../../prices/current.ts';
import { totalAVAX } from '../../protocol/account-figures.ts';
import type { Account } from '../../protocol/accounts.ts';
import type { Holdings } from '../../protocol/holdings.ts';
import { stakedAVAX, withdrawableMinipools } from '../../protocol/operator-figures.ts';
import type { ProtocolAtBlock } from '../../protocol/protocol-at-block.ts';
import type { Withdrawal, WithdrawalStatus } from '../../protocol/withdrawals.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { divWad, mulWad } from '../../values/wad.ts';
import { fields, json, list, object } from '../fields.ts';
import { address, avax, decimal, eur, ggAvax, ggp, integer, unixTime, usd } from '../units.ts';
import { available, availableLater, token } from './available-body.ts';
import { type Lacks, partialFields } from './partial-body.ts';
import { redemption } from './redemption-body.ts';

const held = object(
  'AccountGgAvax',
  fields<Holdings['ggAvax']>()({
    balance: ggAvax('ggAVAX held.', ({ balance }) => balance),
    avax: avax('Value of the ggAVAX held: `convertToAssets`.', ({ avax }) => avax),
    redemption: redemption.optional('', ({ redemption }) => redemption),
  }),
);

const SHARES = decimal('Shares of the vault. Exact decimal string.', ({ shares }: VaultShares) => shares);
const REDEEMABLE = 'What the vault can pay for them now, in one transaction.';
const WORTH = 'What the shares are worth: `convertToAssets`.';

const xGgp = object(
  'AccountXGgp',
  fields<VaultShares>()({
    shares: SHARES,
    redeemable: ggp(REDEEMABLE, ({ maxWithdraw }) => maxWithdraw),
    ggp: ggp(WORTH, ({ assets }) => assets),
  }),
);
const xAvax = object(
  'AccountXAvax',
  fields<VaultShares>()({
    shares: SHARES,
    redeemable: avax(REDEEMABLE, ({ redeemed }) => redeemed),
    avax: avax(WORTH, ({ assets }) => assets),
  }),
);

/** The order of JSON; a CSV has its columns in that of the schema. */
const redeemableLast = <Body extends { redeemable: string }>({ redeemable, ...others }: Body) => ({
  ...others,
  redeemable,
});

const lock = object(
  'Lock',
  fields<Lock>()({
    id: address('Address of the locked token: locks of one token are merged.', ({ address }) => address),
    token: token('', ({ token }) => token),
    amount: decimal('Amount locked. Exact decimal string.', ({ amount }) => amount),
    until: unixTime.optional(
      "When it can be withdrawn: the later of its own time and the date that the locker's admin has set for everybody. In the past if it can be by now. Omitted if that is beyond the year 9999, which is to say never.",
      ({ until }) => until,
    ),
  }),
);

const staked = object(
  'AccountStaking',
  fields<Account>()({
    ggpStaked: ggp('GGP staked.', ({ staking }) => staking?.ggpStaked ?? 0n),
    ggpWithdrawable: ggp.optional(
      'Part of `ggpStaked` that `withdrawGGP` pays now: what is not needed for the maximum collateral of the AVAX assigned, or 0 if that is refused, as while the stake is locked. Found by simulating the withdrawal. Omitted if that is not possible.',
      ({ staking, waysOut }) =>
        staking?.ggpUnneeded === undefined
          ? undefined
          : waysOut && (waysOut.find(({ what }) => what === 'withdrawGgp')?.amount ?? 0n),
    ),
    ggpRewards: ggp('Rewards distributed but not yet claimed.', ({ staking }) => staking?.ggpRewards ?? 0n),
  }),
);

const minipools = object(
  'AccountMinipools',
  fields<NonNullable<Holdings['minipools']>>()({
    count: integer(
      'Number of minipool records that the address owns, including those that are over.',
      ({ length }) => length,
    ),
    stakedAVAX: avax("The operator's AVAX in minipools that are waiting or validating.", stakedAVAX),
    withdrawableAVAX: avax(
      "The operator's AVAX and rewards in minipools that have ended or failed, and can be withdrawn.",
      (owned) => sumOf(withdrawableMinipools(owned), ({ avax }) => avax),
    ),
  }),
);

const withdrawals = object(
  'AccountWithdrawals',
  fields<readonly Withdrawal[]>()({
    pending: integer('Number of requests that wait for AVAX.', (all) => ofStatus(all, 'pending').length),
    pendingAVAX: avax('AVAX promised to them.', (all) =>
      sumOf(ofStatus(all, 'pending'), ({ expectedAssets }) => expectedAssets),
    ),
    claimableAVAX: avax('AVAX set aside for requests that can be claimed.', (all) =>
      sumOf(ofStatus(all, 'fulfilled'), ({ allocatedFunds }) => allocatedFunds),
    ),
    expired: integer(
      'Number of requests that have expired: their ggAVAX can be returned.',
      (all) => ofStatus(all, 'expired').length,
    ),
    // Without a pool, there would be no account.
    expiredAVAX: avax(
      'What they are worth at this block: the AVAX set aside, or else the value of their shares.',
      (all) => sumOf(ofStatus(all, 'expired'), ({ assets = 0n }) => assets),
    ),
  }),
);

function ofStatus(requests: readonly Withdrawal[], wanted: WithdrawalStatus): Withdrawal[] {
  return requests.filter(({ status }) => status === wanted);
}

/** The total value of an account in each currency; undefined if a part is unknown. */
type Totals = Record<'avax' | 'usd' | 'eur', bigint | undefined>;

export interface ValuedAccount extends Account {
  totals: Totals;
}

/** The fields with totals; `meanings` describes each of them. */
export const totalsIn = (meanings: Record<'avax' | 'usd' | 'eur', string>) => ({
  totalAVAX: avax.optional(meanings.avax, ({ totals }: { totals: Totals }) => totals.avax),
  totalUSD: usd.optional(meanings.usd, ({ totals }: { totals: Totals }) => totals.usd),
  totalEUR: eur.optional(meanings.eur, ({ totals }: { totals: Totals }) => totals.eur),
});

/** An account, without its block. */
export const ACCOUNT = fields<ValuedAccount>()({
  address: address('The address.', ({ address }) => address),
  ggAvax: held('', ({ ggAvax }) => ggAvax),
  pstAvax: decimal.optional(
    'pstAVAX held: AVAX that earns no yield, one for one. Exact decimal string. Omitted where the network has none.',
    ({ pstAvax }) => pstAvax?.balance,
  ),
  xGgp: json(
    () =>
      z.optional(
        xGgp.schema('Shares of the xGGP vault, whose GGP is mostly staked. Omitted where the network has none.'),
      ),
    (account) => account.xGgp && redeemableLast(xGgp.json(account.xGgp)),
  ),
  xAvax: json(
    () =>
      z.optional(
        xAvax.schema('Shares of the xAVAX vault, whose AVAX is mostly staked. Omitted where the network has none.'),
      ),
    (account) => account.xAvax && redeemableLast(xAvax.json(account.xAvax)),
  ),
  locked: list(lock).optional(
    'Tokens in the AssetLocker: GGP, ggAVAX, pstAVAX, WAVAX, xGGP and xAVAX are looked up, but no other token that it may accept. Omitted where the network has none.',
    ({ locks }) => locks,
  ),
  staking: staked.optional('GGP staking. Omitted if the address has never staked.', (account) =>
    account.staking ? account : undefined,
  ),
  minipools: minipools.optional(
    'Minipools of the address, as the contracts have them at this block. Omitted, and listed in `partial`, if their AVAX does not add up to the `getAVAXStake` of the address, or if they cannot be read.',
    ({ minipools }) => minipools,
  ),
  withdrawals: withdrawals('Open requests in the withdrawal queue.', ({ withdrawals }) => withdrawals),
  availableNow: list(available).optional(
    'What would pay something at this block, each entry for itself: the most valuable first. Each transaction was simulated from this address, so an entry that the contracts refuse is not listed; of `steps`, the first one was. Omitted, and listed in `partial`, if that was not possible.',
    ({ waysOut }) => waysOut,
  ),
  availableLater: list(availableLater).optional(
    'What the contracts do not pay yet, in the order to take it out: minipools, then the GGP staked, then requests and locks. Entries of one request are alternatives. Omitted, and listed in `partial`, if the minipools are not known.',
    ({ waysLater }) => waysLater,
  ),
  ...totalsIn({
    avax: 'Value of all of the above, whether or not it can be had now: ggAVAX at the redemption rate; shares of xGGP and xAVAX at what their vaults say they are worth; requests at what they were promised or, once expired, at `expiredAVAX`; GGP at `ggpInAVAX` of `/prices`. Derived. Omitted if a part is unknown.',
    usd: '`totalAVAX` at `avaxInUSD` of `/prices`. Omitted if either is unknown.',
    eur: '`totalUSD` at `eurInUSD` of `/prices`. Omitted if either is unknown.',
  }),
});

/** The value of an amount of AVAX (wei) in each currency. */
export function totalsOf(avax: bigint | undefined, { avaxInUSD, eurInUSD }: BestPrices): Totals {
  const usd = ifKnown(mulWad, avax, avaxInUSD?.price);
  return { avax, usd, eur: ifKnown(divWad, usd, eurInUSD?.price) };
}

export function valued(account: Account, { totals, prices }: ProtocolAtBlock): ValuedAccount {
  const total = totalAVAX(account, { totals, ggpInAVAX: prices.ggpInAVAX?.price });
  return { ...account, totals: totalsOf(total, prices) };
}

const LACKS = ['minipools', 'availableNow', 'availableLater', 'totalAVAX', 'totalUSD', 'totalEUR'] as const;

/** Missing fields of accounts, and the reasons. A field that one account lacks counts as missing for all. */
export const partialOf = <Source>(accountsIn: (source: Source) => readonly ValuedAccount[]) =>
  partialFields(LACKS, 'AccountField', (source: Source) => {
    const lacks = accountsIn(source).map(lacksOf);
    return Object.fromEntries(LACKS.map((name) => [name, lacks.find((each) => each[name])?.[name]]));
  });

function lacksOf({ minipools, waysOut, waysLater, totals }: ValuedAccount): Lacks<(typeof LACKS)[number]> {
  const unread = (part: unknown) => (part === undefined ? 'SOURCE_UNAVAILABLE' : undefined);
  // A missing total follows from missing minipools, which are listed already.
  const unpriced = (total: unknown) => (total === undefined && minipools ? 'PRICE_UNKNOWN' : undefined);
  return {
    minipools: unread(minipools),
    availableNow: unread(waysOut),
    availableLater: unread(waysLater),
    totalAVAX: unpriced(totals.avax),
    totalUSD: unpriced(totals.usd),
    totalEUR: unpriced(totals.eur),
  };
}

function sumOf<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}
