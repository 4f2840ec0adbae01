import { getAddress, isAddress } from 'ethers';
import { type Lock, TOKENS, type VaultShares } from '../../contracts/other-holdings.ts';
import { encodeCall, type Transaction } from '../../contracts/simulate.ts';
import type { Account, Totals } from '../../protocol/accounts.ts';
import { CLAIM_KINDS, type ClaimKind, CONDITIONS } from '../../protocol/claim-kinds.ts';
import type { Claim } from '../../protocol/claims.ts';
import type { Holdings } from '../../protocol/holdings.ts';
import { stakedAVAX, withdrawableMinipools } from '../../protocol/operator-figures.ts';
import { expectedAssetsOf, type Withdrawal, type WithdrawalStatus } from '../../protocol/withdrawals.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { sum } from '../../values/wad.ts';
import { choice, list, object } from '../fields.ts';
import type { Reason } from '../reasons.ts';
import { address, avax, decimal, eur, ggAvax, ggp, integer, nodeID, text, unixTime, usd } from '../units.ts';
import { redemption } from './redemption-body.ts';

const token = choice('TokenName', TOKENS);
const KINDS = Object.keys(CLAIM_KINDS) as ClaimKind[];
const CONDITION_NAMES = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

const call = object<Transaction>('Call')({
  contract: address('Contract to call.'),
  function: text('Function to call.', ({ signature }) => signature),
  arguments: list(text)('Arguments: amounts in the smallest unit, node IDs as 0x-hex.', ({ args }) =>
    args.map((each) => (isAddress(each) ? getAddress(each) : String(each))),
  ),
  data: text('The call as calldata, 0x-hex.', encodeCall),
  value: text('AVAX wei to send: always `0`.', () => '0'),
  chainId: integer('EIP-155 chain ID.'),
  url: text.optional('Page of a block explorer to send it with. Omitted on networks without one.'),
});

const claim = object<Claim>('Claim')({
  what: choice('ClaimKind', KINDS)(`${KINDS.map((kind) => `\`${kind}\`: ${CLAIM_KINDS[kind].meaning}`).join('. ')}.`),
  title: text('The claim in a few words, with the number of the request or the node.', (given) =>
    CLAIM_KINDS[given.what].title(given),
  ),
  detail: text('What to expect, in one or two sentences.', (given) => CLAIM_KINDS[given.what].detail(given)),
  token: token(),
  amount: decimal.optional(
    'Amount payable at this block; for a validating minipool, without its reward. Omitted if it depends on later events. Exact decimal string.',
  ),
  expectedAssets: avax.optional('AVAX that the request would promise. `approveUnstake` and `requestUnstake` only.'),
  from: unixTime.optional(
    'Earliest time: the end of a moratorium, lock or minipool cycle, the expiration of a request, or `claimableTime` (`claimUnstake`, `requestUnstake`). Omitted if no time applies.',
  ),
  until: unixTime.optional('From this time on, it cannot be claimed. Omitted without a limit.'),
  plannedEnd: unixTime.optional('End for which a validating minipool was created. It may end with an earlier cycle.'),
  requires: choice('ClaimCondition', CONDITION_NAMES).optional(
    `Required event. ${CONDITION_NAMES.map((name) => `\`${name}\`: ${CONDITIONS[name]}`).join('. ')}. Omitted if only time must pass.`,
  ),
  nodeID: nodeID.optional('Node of the minipool. Minipools only.'),
  nodeIDHex: text.optional('Node ID as 20 bytes in 0x-hex. Minipools only.', ({ nodeID }) => nodeID),
  requestId: integer.optional('ID of the withdrawal request. Requests only.'),
  lockId: address.optional('`id` of the entry of `locked`. Locks only.'),
  call: call.optional('Transaction, to be sent by the address itself. Omitted in `availableLater`.'),
});

const claims = list(claim);

const held = object<Holdings['ggAvax']>('AccountGgAvax')({
  balance: ggAvax('ggAVAX held.'),
  avax: avax('Value of the ggAVAX held (`convertToAssets`).'),
  redemption: redemption.optional(),
});

const SHARES = decimal('Shares of the vault. Exact decimal string.', ({ shares }: VaultShares) => shares);
const REDEEMABLE = 'Amount that the vault can pay for the shares now, in one transaction.';
const WORTH = 'Value of the shares (`convertToAssets`).';

const xGgp = object<VaultShares>('AccountXGgp')({
  shares: SHARES,
  redeemable: ggp(REDEEMABLE, ({ maxWithdraw }) => maxWithdraw),
  ggp: ggp(WORTH, ({ assets }) => assets),
});
const xAvax = object<VaultShares>('AccountXAvax')({
  shares: SHARES,
  redeemable: avax(REDEEMABLE, ({ redeemed }) => redeemed),
  avax: avax(WORTH, ({ assets }) => assets),
});

const lock = object<Lock>('Lock')({
  id: address('Address of the token. Locks of one token are merged.', ({ address }) => address),
  token: token(),
  amount: decimal('Amount locked. Exact decimal string.'),
  until: unixTime.optional(
    "End of the lock: its own time or the date that the locker's admin has set for all locks, whichever is later. May be past. Omitted if beyond the year 9999.",
  ),
});

const staked = object<Account>('AccountStaking')({
  ggpStaked: ggp('GGP staked.', ({ staking }) => staking?.ggpStaked ?? 0n),
  ggpWithdrawable: ggp.optional(
    'Part of `ggpStaked` that `withdrawGGP` pays now, by simulation: the GGP above the maximum collateral of the AVAX assigned, even if the price of GGP falls by 10 %. 0 if refused, for example while locked. Omitted if the simulation failed.',
    ({ staking, now }) =>
      ifKnown(
        (_, claims) => claims.find(({ what }) => what === 'withdrawGgp')?.amount ?? 0n,
        staking?.ggpUnneeded,
        now,
      ),
  ),
  ggpRewards: ggp('Rewards distributed, but not claimed.', ({ staking }) => staking?.ggpRewards ?? 0n),
});

const minipools = object<NonNullable<Holdings['minipools']>>('AccountMinipools')({
  count: integer('Number of minipool records of the address, including ended ones.', ({ length }) => length),
  stakedAVAX: avax("The operator's AVAX in waiting and validating minipools.", stakedAVAX),
  withdrawableAVAX: avax("The operator's AVAX and rewards in ended and failed minipools.", (owned) =>
    sum(withdrawableMinipools(owned).map(({ avax }) => avax)),
  ),
});

type Requests = Record<WithdrawalStatus, readonly Withdrawal[]>;

const withdrawals = object<Requests>('AccountWithdrawals')({
  pending: integer('Number of pending requests.', ({ pending }) => pending.length),
  pendingAVAX: avax('AVAX promised to them.', ({ pending }) => expectedAssetsOf(pending)),
  claimableAVAX: avax('AVAX set aside for claimable requests.', ({ fulfilled }) =>
    sum(fulfilled.map(({ allocatedFunds }) => allocatedFunds)),
  ),
  expired: integer('Number of expired requests, whose ggAVAX can be returned.', ({ expired }) => expired.length),
  // Without a pool, there would be no account.
  expiredAVAX: avax(
    'Value of expired requests at this block: the AVAX set aside, or else the value of their shares.',
    ({ expired }) => sum(expired.map(({ assets = 0n }) => assets)),
  ),
});

/** The fields with totals; `meaning` describes the one in AVAX, `missing` makes the reason for each. */
export const totalsIn = <Source extends Pick<Account, 'totals'>>(
  meaning: string,
  missing?: (name: keyof Totals) => (source: Source) => Reason | undefined,
) => ({
  totalAVAX: avax.optional(meaning, ({ totals }: Source) => totals.avax, missing?.('avax')),
  totalUSD: usd.optional('`totalAVAX` at `avaxInUSD`.', ({ totals }: Source) => totals.usd, missing?.('usd')),
  totalEUR: eur.optional('`totalUSD` at `eurInUSD`.', ({ totals }: Source) => totals.eur, missing?.('eur')),
});

export const ACCOUNT = object<Account>('Account')({
  address: address('The address.'),
  ggAvax: held(),
  pstAvax: decimal.optional('pstAVAX held, worth one AVAX each, without yield. Omitted on networks without it.'),
  xGgp: xGgp.optional('Shares of the xGGP vault. Omitted on networks without it.'),
  xAvax: xAvax.optional('Shares of the xAVAX vault. Omitted on networks without it.'),
  locked: list(lock).optional(
    'Tokens in the AssetLocker. Only GGP, ggAVAX, pstAVAX, WAVAX, xGGP and xAVAX are read. Omitted on networks without it.',
    ({ locks }) => locks,
  ),
  staking: staked.optional('GGP staking. Omitted if the address never staked.', (account) =>
    account.staking ? account : undefined,
  ),
  minipools: minipools.optional(
    'Minipools of the address. Omitted, and listed in `partial`, if they cannot be read or their AVAX differs from the `getAVAXStake` of the address.',
    ({ minipools }) => minipools,
    'SOURCE_UNAVAILABLE',
  ),
  withdrawals: withdrawals('Open withdrawal requests.', ({ withdrawals }) => ({
    ...{ pending: [], fulfilled: [], expired: [] },
    ...Object.groupBy(withdrawals, ({ status }) => status),
  })),
  availableNow: claims.optional(
    'Claims that the chain accepts at this block, each simulated on its own from this address. In the order to send them, within some days, one by one or in one batch: each leaves the others valid. `approveUnstake` and `requestUnstake` pay later (`requires`): they are for ggAVAX that cannot be redeemed. Omitted, and listed in `partial`, if simulation was not possible.',
    ({ now }) => now?.filter(({ what }) => what !== 'cancelUnstake'),
    'SOURCE_UNAVAILABLE',
  ),
  insteadOfWaiting: claims.optional(
    'Cancellations of withdrawal requests: each gives up a place in the queue. Only those whose ggAVAX can be redeemed at this block. Omitted, and listed in `partial`, if simulation was not possible.',
    ({ now }) => now?.filter(({ what }) => what === 'cancelUnstake'),
    'SOURCE_UNAVAILABLE',
  ),
  availableLater: claims.optional(
    'Claims that the contracts do not accept yet, in the order to make them: minipools, staked GGP, requests, locks. Those of one request are alternatives. Omitted, and listed in `partial`, if the minipools are unknown.',
    ({ later }) => later,
    'SOURCE_UNAVAILABLE',
  ),
  ...totalsIn<Account>(
    'Value of all of the above, payable now or not: ggAVAX at the redemption rate; xGGP and xAVAX at `convertToAssets`; requests at the promised AVAX or, once expired, `expiredAVAX`; GGP at `ggpInAVAX` of `/prices`. Omitted if a part is unknown.',
    // A missing total can also follow from missing minipools, which are listed already.
    (name) =>
      ({ minipools, totals }) =>
        minipools && totals[name] === undefined ? 'NO_PRICE' : undefined,
  ),
});
