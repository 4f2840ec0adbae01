/** How everything that an address has looks in responses. */

import { getAddress, isAddress } from 'ethers';
import * as z from 'zod/mini';
import type { Lock, TokenName, VaultShares } from '../../contracts/other-holdings.ts';
import type { Currency } from '../../history/income.ts';
import type { BestPrices } from '../../prices/current.ts';
import { stakedAVAX, totalAVAX, withdrawableMinipools } from '../../protocol/account-figures.ts';
import type { Account, Holdings, ProtocolAtBlock } from '../../protocol/accounts.ts';
import { ACTIONS, type WayOut } from '../../protocol/ways-out.ts';
import type { Withdrawal, WithdrawalStatus } from '../../protocol/withdrawals.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount, toNumber } from '../../values/amounts.ts';
import { divWad, mulWad } from '../../values/wad.ts';
import { choice, fields, json, list, object } from '../fields.ts';
import * as schemas from '../schemas.ts';
import { address, avax, decimal, ggAvax, ggp, integer, text, unixTime } from '../units.ts';
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

const token = choice('TokenName', TOKENS);

type Step = WayOut['steps'][0];

const call = <Source>(which: string, stepOf: (source: Source) => Step) => ({
  contract: address(`Contract to call, ${which}.`, (source: Source) => stepOf(source).contract),
  function: text('Function to call.', (source: Source) => stepOf(source).signature),
  arguments: json(
    () => z.array(z.string()).check(z.describe('Its arguments; amounts in the smallest unit, node IDs as 0x-hex.')),
    (source: Source) => stepOf(source).args.map(argumentText),
  ),
});

const way = (which: string) => ({
  what: choice('AvailableWay', ACTIONS)(
    `${ACTIONS.map((way) => `\`${way}\`: ${MEANINGS[way]}`).join('. ')}.`,
    ({ what }: WayOut) => what,
  ),
  amount: decimal('What it pays, all steps together. Exact decimal string.', ({ amount }: WayOut) => amount),
  token: token('', ({ token }: WayOut) => token),
  ...call(which, ({ steps }: WayOut) => steps[0]),
});

const step = object('AvailableStep', fields<Step>()(call('from the address itself', (step: Step) => step)));
const alternative = object('AvailableAlternative', fields<WayOut>()(way('from the address itself')));
const available = object(
  'AvailableFunds',
  fields<WayOut>()({
    ...way('of `steps`, the first one'),
    steps: list(step).optional(
      'All transactions that it takes, in this order, if it takes more than one. Their amounts are those of this block.',
      ({ steps }) => (steps.length > 1 ? steps : undefined),
    ),
    alternative: alternative.optional(
      'What can be done instead with the same funds, which is not to be added to `amount`: a request that has AVAX can be canceled, too, until its `claimableTime`.',
      ({ alternative }) => alternative,
    ),
  }),
);

const held = object(
  'AccountGgAvax',
  fields<Holdings['ggAvax']>()({
    balance: ggAvax('ggAVAX held.', ({ balance }) => balance),
    avax: avax('Value of the ggAVAX held: `convertToAssets`.', ({ avax }) => avax),
    redemption: redemption.optional('', ({ redemption }) => redemption),
  }),
);

/** A vault's shares; the field with their worth has the name of its asset. */
const vaultFields = (unit: 'GGP' | 'AVAX') => ({
  shares: schemas.decimal('Shares of the vault. Exact decimal string.'),
  redeemable: schemas.tokens(unit, 'What the vault can pay for them now, in one transaction.'),
});
const worth = (unit: 'GGP' | 'AVAX') => schemas.tokens(unit, 'What the shares are worth: `convertToAssets`.');

const xGgpSchema = () =>
  schemas
    .model('AccountXGgp', z.object({ ...vaultFields('GGP'), ggp: worth('GGP') }))
    .check(z.describe('Shares of the xGGP vault, whose GGP is mostly staked. Omitted where the network has none.'));
const xAvaxSchema = () =>
  schemas
    .model('AccountXAvax', z.object({ ...vaultFields('AVAX'), avax: worth('AVAX') }))
    .check(z.describe('Shares of the xAVAX vault, whose AVAX is mostly staked. Omitted where the network has none.'));

const xGgpBody = ({ shares, assets, maxWithdraw }: VaultShares) => ({
  shares: formatAmount(shares),
  ggp: formatAmount(assets),
  redeemable: formatAmount(maxWithdraw),
});
const xAvaxBody = ({ shares, assets, redeemed }: VaultShares) => ({
  shares: formatAmount(shares),
  avax: formatAmount(assets),
  redeemable: formatAmount(redeemed),
});

const lock = object(
  'Lock',
  fields<Lock>()({
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
      'Part of `ggpStaked` that `withdrawGGP` pays now: what is not needed for the maximum collateral of the AVAX assigned, or 0 if that is refused, as while the stake is locked. Found by running the withdrawal without effect. Omitted if that cannot be told.',
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

const ACCOUNT = fields<Account>()({
  address: address('The address.', ({ address }) => address),
  ggAvax: held('', ({ ggAvax }) => ggAvax),
  pstAvax: decimal.optional(
    'pstAVAX held: AVAX that earns no yield, one for one. Exact decimal string. Omitted where the network has none.',
    ({ pstAvax }) => pstAvax?.balance,
  ),
  xGgp: json(
    () => z.optional(xGgpSchema()),
    ({ xGgp }) => xGgp && xGgpBody(xGgp),
  ),
  xAvax: json(
    () => z.optional(xAvaxSchema()),
    ({ xAvax }) => xAvax && xAvaxBody(xAvax),
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
    'What would pay something at this block, each entry for itself: what is worth most first. Each transaction was run from this address, without effect, so an entry that the contracts refuse is not listed; of `steps`, the first one was. Omitted, and listed in `partial`, if that was not possible.',
    ({ waysOut }) => waysOut,
  ),
});

/** The schemas of the fields of {@link accountBody}. */
export const accountFields = () => ({
  ...ACCOUNT.shape(),
  totalAVAX: z.optional(
    schemas.tokens(
      'AVAX',
      'Value of all of the above, whether or not it can be had now: ggAVAX at the redemption rate; shares of xGGP and xAVAX at what their vaults say they are worth; requests at what they were promised or, once expired, at `expiredAVAX`; GGP at `ggpInAVAX` of `/prices`. Derived. Omitted if a part is unknown.',
    ),
  ),
  totalUSD: z.optional(
    schemas.quantity('USD', '`totalAVAX` at `avaxInUSD` of `/prices`. Omitted if either is unknown.'),
  ),
  totalEUR: z.optional(
    schemas.quantity(
      'EUR',
      '`totalUSD` at `eurInUSD` of `/prices`. Only with `currency=eur`. Omitted if either is unknown.',
    ),
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
  const total = totalAVAX(account, { totals, ggpInAVAX: prices.ggpInAVAX?.price });
  return { ...ACCOUNT.body(account), ...totalsBody(total, prices, currency) };
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
