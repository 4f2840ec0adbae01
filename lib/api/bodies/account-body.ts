/** How everything that an address has looks in responses. */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import type { TokenName } from '../../contracts/other-holdings.ts';
import type { Currency } from '../../history/income.ts';
import type { BestPrices } from '../../prices/current.ts';
import { stakedAVAX, totalAVAX, withdrawableMinipools } from '../../protocol/account-figures.ts';
import type { Account, ProtocolAtBlock } from '../../protocol/accounts.ts';
import { ACTIONS, type WayOut } from '../../protocol/ways-out.ts';
import type { WithdrawalStatus } from '../../protocol/withdrawals-dataset.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount, toNumber } from '../../values/amounts.ts';
import { divWad, mulWad } from '../../values/wad.ts';
import { address, decimal, integer, model, quantity, text, tokens, unixTime } from '../schemas.ts';
import { redemption } from './redemption-body.ts';

const TOKENS = ['AVAX', 'WAVAX', 'ggAVAX', 'pstAVAX', 'xAVAX', 'GGP', 'xGGP'] as const satisfies TokenName[];

/** What each of {@link ACTIONS} takes out. */
const MEANINGS: Record<WayOut['what'], string> = {
  redeem: 'ggAVAX for AVAX',
  claimUnstake: 'the AVAX of a fulfilled withdrawal request',
  reclaimExpired: 'the ggAVAX of an expired request',
  cancelUnstake:
    'the ggAVAX of a request that is waiting: as much as the promised AVAX buys now, while its growth since the request is burned; or of one that has AVAX and is not due yet: what this AVAX buys',
  withdrawMinipool: 'the AVAX of a minipool that has ended or failed',
  cancelMinipool: 'the AVAX of a minipool that was never launched',
  claimRewards: 'GGP rewards',
  withdrawGgp: 'GGP stake',
  withdrawPstAvax: 'pstAVAX for ggAVAX',
  redeemXGgp: 'shares of xGGP for GGP, as far as the vault has any',
  redeemXAvax: 'shares of xAVAX for AVAX, as far as the vault has any',
  withdrawLocked: 'a lock that has ended',
};

const token = () => model('TokenName', z.enum(TOKENS));

const callFields = (which: string) => ({
  contract: address(`Contract to call, ${which}.`),
  function: text('Function to call.'),
  arguments: z.array(z.string()).check(z.describe('Its arguments; amounts in the smallest unit, node IDs as 0x-hex.')),
});

const wayFields = (which: string) => ({
  what: model('AvailableWay', z.enum(ACTIONS)).check(
    z.describe(`${ACTIONS.map((way) => `\`${way}\`: ${MEANINGS[way]}`).join('. ')}.`),
  ),
  amount: decimal('What it pays, all steps together. Exact decimal string.'),
  token: token(),
  ...callFields(which),
});

/** A vault's shares; the field with their worth has the name of its asset. */
const vaultFields = (unit: 'GGP' | 'AVAX') => ({
  shares: decimal('Shares of the vault. Exact decimal string.'),
  redeemable: tokens(unit, 'What the vault can pay for them now, in one transaction.'),
});
const worth = (unit: 'GGP' | 'AVAX') => tokens(unit, 'What the shares are worth: `convertToAssets`.');

export const accountFields = () => ({
  address: address('The address.'),
  ggAvax: model(
    'AccountGgAvax',
    z.object({
      balance: tokens('ggAVAX', 'ggAVAX held.'),
      avax: tokens('AVAX', 'Value of the ggAVAX held: `convertToAssets`.'),
      redemption: z.optional(redemption.schema('')),
    }),
  ),
  pstAvax: z.optional(
    decimal(
      'pstAVAX held: AVAX that earns no yield, one for one. Exact decimal string. Omitted where the network has none.',
    ),
  ),
  xGgp: z.optional(
    model('AccountXGgp', z.object({ ...vaultFields('GGP'), ggp: worth('GGP') })).check(
      z.describe('Shares of the xGGP vault, whose GGP is mostly staked. Omitted where the network has none.'),
    ),
  ),
  xAvax: z.optional(
    model('AccountXAvax', z.object({ ...vaultFields('AVAX'), avax: worth('AVAX') })).check(
      z.describe('Shares of the xAVAX vault, whose AVAX is mostly staked. Omitted where the network has none.'),
    ),
  ),
  locked: z.optional(
    z
      .array(
        model(
          'Lock',
          z.object({
            token: token(),
            amount: decimal('Amount locked. Exact decimal string.'),
            until: z.optional(
              unixTime(
                "When it can be withdrawn: the later of its own time and the date that the locker's admin has set for everybody. In the past if it can be by now. Omitted if that is beyond the year 9999, which is to say never.",
              ),
            ),
          }),
        ),
      )
      .check(
        z.describe(
          'Tokens in the AssetLocker: GGP, ggAVAX, pstAVAX, WAVAX, xGGP and xAVAX are looked up, but no other token that it may accept. Omitted where the network has none.',
        ),
      ),
  ),
  staking: z.optional(
    model(
      'AccountStaking',
      z.object({
        ggpStaked: tokens('GGP', 'GGP staked.'),
        ggpWithdrawable: z.optional(
          tokens(
            'GGP',
            'Part of `ggpStaked` that `withdrawGGP` pays now: what is not needed for the maximum collateral of the AVAX assigned, or 0 if that is refused, as while the stake is locked. Found by running the withdrawal without effect. Omitted if that cannot be told.',
          ),
        ),
        ggpRewards: tokens('GGP', 'Rewards distributed but not yet claimed.'),
      }),
    ).check(z.describe('GGP staking. Omitted if the address has never staked.')),
  ),
  minipools: z.optional(
    model(
      'AccountMinipools',
      z.object({
        count: integer('Number of minipool records that the address owns, including those that are over.'),
        stakedAVAX: tokens('AVAX', "The operator's AVAX in minipools that are waiting or validating."),
        withdrawableAVAX: tokens(
          'AVAX',
          "The operator's AVAX and rewards in minipools that have ended or failed, and can be withdrawn.",
        ),
      }),
    ).check(
      z.describe(
        'Minipools of the address, as the contracts have them at this block. Omitted, and listed in `partial`, if their AVAX does not add up to the `getAVAXStake` of the address, or if they cannot be read.',
      ),
    ),
  ),
  withdrawals: model(
    'AccountWithdrawals',
    z.object({
      pending: integer('Number of requests that wait for AVAX.'),
      pendingAVAX: tokens('AVAX', 'AVAX promised to them.'),
      claimableAVAX: tokens('AVAX', 'AVAX set aside for requests that can be claimed.'),
      expired: integer('Number of requests that have expired: their ggAVAX can be returned.'),
      expiredAVAX: tokens(
        'AVAX',
        'What they are worth at this block: the AVAX set aside, or else the value of their shares.',
      ),
    }),
  ).check(z.describe('Open requests in the withdrawal queue.')),
  availableNow: z.optional(
    z
      .array(
        model(
          'AvailableFunds',
          z.object({
            ...wayFields('of `steps`, the first one'),
            steps: z.optional(
              z
                .array(model('AvailableStep', z.object(callFields('from the address itself'))))
                .check(
                  z.describe(
                    'All transactions that it takes, in this order, if it takes more than one. Their amounts are those of this block.',
                  ),
                ),
            ),
            alternative: z.optional(
              model('AvailableAlternative', z.object(wayFields('from the address itself'))).check(
                z.describe(
                  'What can be done instead with the same funds, which is not to be added to `amount`: a request that has AVAX can be canceled, too, until its `claimableTime`.',
                ),
              ),
            ),
          }),
        ),
      )
      .check(
        z.describe(
          'What would pay something at this block, each entry for itself: what is worth most first. Each transaction was run from this address, without effect, so an entry that the contracts refuse is not listed; of `steps`, the first one was. Omitted, and listed in `partial`, if that was not possible.',
        ),
      ),
  ),
  totalAVAX: z.optional(
    tokens(
      'AVAX',
      'Value of all of the above, whether or not it can be had now: ggAVAX at the redemption rate; shares of xGGP and xAVAX at what their vaults say they are worth; requests at what they were promised or, once expired, at `expiredAVAX`; GGP at `ggpInAVAX` of `/prices`. Derived. Omitted if a part is unknown.',
    ),
  ),
  totalUSD: z.optional(quantity('USD', '`totalAVAX` at `avaxInUSD` of `/prices`. Omitted if either is unknown.')),
  totalEUR: z.optional(
    quantity('EUR', '`totalUSD` at `eurInUSD` of `/prices`. Only with `currency=eur`. Omitted if either is unknown.'),
  ),
});

/** What so many AVAX wei are worth in all: in USD and, if that is the currency, in EUR, too. */
export function totalsBody(total: bigint | undefined, { avaxInUSD, eurInUSD }: BestPrices, currency: Currency) {
  const usd = ifKnown(mulWad, total, avaxInUSD?.price);
  return {
    totalAVAX: formatAmount(total),
    totalUSD: toNumber(usd),
    ...(currency === 'eur' && { totalEUR: toNumber(ifKnown(divWad, usd, eurInUSD?.price)) }),
  };
}

/** The body of an account, without its block. */
export function accountBody(account: Account, { totals, prices }: ProtocolAtBlock, currency: Currency) {
  const { ggAvax, pstAvax, xGgp, xAvax, locks, staking, minipools, withdrawals, waysOut } = account;
  const ofStatus = (status: WithdrawalStatus) => withdrawals.filter((request) => request.status === status);
  const [pending, fulfilled, expired] = [ofStatus('pending'), ofStatus('fulfilled'), ofStatus('expired')];
  const total = totalAVAX(account, { totals, ggpInAVAX: prices.ggpInAVAX?.price });
  const withdrawn = waysOut?.find(({ what }) => what === 'withdrawGgp')?.amount ?? 0n;
  return {
    address: account.address,
    ggAvax: {
      balance: formatAmount(ggAvax.balance),
      avax: formatAmount(ggAvax.avax),
      redemption: ifKnown(redemption.json, ggAvax.redemption),
    },
    pstAvax: formatAmount(pstAvax?.balance),
    xGgp: xGgp && {
      shares: formatAmount(xGgp.shares),
      ggp: formatAmount(xGgp.assets),
      redeemable: formatAmount(xGgp.maxWithdraw),
    },
    xAvax: xAvax && {
      shares: formatAmount(xAvax.shares),
      avax: formatAmount(xAvax.assets),
      redeemable: formatAmount(xAvax.redeemed),
    },
    locked: locks?.map(({ token, amount, until }) => ({ token, amount: formatAmount(amount), until })),
    staking: staking && {
      ggpStaked: formatAmount(staking.ggpStaked),
      ggpWithdrawable: waysOut && staking.ggpUnneeded !== undefined ? formatAmount(withdrawn) : undefined,
      ggpRewards: formatAmount(staking.ggpRewards),
    },
    minipools: minipools && {
      count: minipools.length,
      stakedAVAX: formatAmount(stakedAVAX(minipools)),
      withdrawableAVAX: formatAmount(sumOf(withdrawableMinipools(minipools), ({ avax }) => avax)),
    },
    withdrawals: {
      pending: pending.length,
      pendingAVAX: formatAmount(sumOf(pending, ({ expectedAssets }) => expectedAssets)),
      claimableAVAX: formatAmount(sumOf(fulfilled, ({ allocatedFunds }) => allocatedFunds)),
      expired: expired.length,
      // Without a pool, there would be no account.
      expiredAVAX: formatAmount(sumOf(expired, ({ assets = 0n }) => assets)),
    },
    availableNow: waysOut?.map(wayBody),
    ...totalsBody(total, prices, currency),
  };
}

function wayBody({ alternative, ...way }: WayOut) {
  return { ...callsBody(way), alternative: ifKnown(callsBody, alternative) };
}

function callsBody({ what, amount, token, steps }: WayOut) {
  const [first] = steps;
  return {
    what,
    amount: formatAmount(amount),
    token,
    ...callBody(first),
    steps: steps.length > 1 ? steps.map(callBody) : undefined,
  };
}

function callBody({ contract, signature, args }: WayOut['steps'][0]) {
  return { contract: getAddress(contract), function: signature, arguments: args.map(argumentText) };
}

function argumentText(argument: bigint | number | string): string {
  return isAddress(argument) ? getAddress(argument) : String(argument);
}

function sumOf<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}

/** The fields of an account that may be missing for a while, by why. */
export function lacksOf({ minipools, waysOut }: Account, body: AccountBody) {
  // A total that lacks minipools follows from those.
  const isUnpriced = (total: unknown) => (total === undefined && minipools ? ('PRICE_UNKNOWN' as const) : undefined);
  return {
    minipools: unlessKnown(minipools),
    availableNow: unlessKnown(waysOut),
    totalAVAX: isUnpriced(body.totalAVAX),
    totalUSD: isUnpriced(body.totalUSD),
    totalEUR: 'totalEUR' in body ? isUnpriced(body.totalEUR) : undefined,
  };
}

type AccountBody = ReturnType<typeof accountBody>;

function unlessKnown(part: unknown) {
  return part === undefined ? ('SOURCE_UNAVAILABLE' as const) : undefined;
}

/** Whatever may be missing. */
export const ACCOUNT_LACKS = ['minipools', 'availableNow', 'totalAVAX', 'totalUSD', 'totalEUR'] as const;
