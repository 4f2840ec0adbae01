import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import type { ProtocolState } from '../../chain/chain.ts';
import type { Lock } from '../../contracts/other-holdings.ts';
import { stakedAVAX, totalAVAX, withdrawableMinipools } from '../../protocol/account-figures.ts';
import type { Account, Common } from '../../protocol/accounts.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { formatAmount, toNumber } from '../../values/amounts.ts';
import { mulWad } from '../../values/wad.ts';
import { address, decimal, integer, model, quantity, text, tokens, unixTime } from '../schemas.ts';
import { redemptionBody, redemptionSchema } from './redemption-body.ts';

/** How everything that an address has looks in responses. */

const TOKENS = ['AVAX', 'ggAVAX', 'GGP', 'pstAVAX', 'xGGP'] as const;
const TOKEN_NAMES = { TokenGGP: 'GGP', TokenggAVAX: 'ggAVAX' } as const;
/** What can be had at once; see `availableNow`. */
const WAYS = [
  'redeem',
  'claimUnstake',
  'reclaimExpired',
  'withdrawMinipool',
  'claimRewards',
  'withdrawGGP',
  'unlock',
] as const;

const token = () => model('TokenName', z.enum(TOKENS));

export const accountFields = () => ({
  address: address('The address.'),
  ggAvax: model(
    'AccountGgAvax',
    z.object({
      balance: tokens('ggAVAX', 'ggAVAX held.'),
      avax: tokens('AVAX', 'Value of the ggAVAX held: `convertToAssets`.'),
      redemption: z.optional(redemptionSchema()),
    }),
  ),
  pstAvax: z.optional(
    decimal(
      'pstAVAX held: AVAX that earns no yield, one for one. Exact decimal string. Omitted where the network has none.',
    ),
  ),
  xGgp: z.optional(
    model(
      'AccountXGgp',
      z.object({
        shares: decimal('Shares of the vault. Exact decimal string.'),
        ggp: tokens('GGP', 'What the shares are worth: `convertToAssets`.'),
      }),
    ).check(z.describe('Shares of the xGGP vault. Omitted where the network has none.')),
  ),
  locked: z.optional(
    z
      .array(
        model(
          'Lock',
          z.object({
            token: token(),
            amount: decimal('Amount locked. Exact decimal string.'),
            until: z.optional(unixTime('When it can be withdrawn. In the past if it can be by now.')),
          }),
        ),
      )
      .check(z.describe('Tokens in the AssetLocker. Omitted where the network has none.')),
  ),
  staking: z.optional(
    model(
      'AccountStaking',
      z.object({
        ggpStaked: tokens('GGP', 'GGP staked.'),
        ggpWithdrawable: z.optional(
          tokens(
            'GGP',
            'Part of `ggpStaked` that `withdrawGGP` pays now: what is not needed for the maximum collateral of the AVAX assigned, or 0 while the stake is locked. Computed from the stake and the settings; whether it is locked is found by running a withdrawal without effect. Omitted if that cannot be told.',
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
      expiredAVAX: tokens('AVAX', 'AVAX once promised to them.'),
    }),
  ).check(z.describe('Open requests in the withdrawal queue.')),
  availableNow: z
    .array(
      model(
        'AvailableFunds',
        z.object({
          what: model('AvailableWay', z.enum(WAYS)).check(
            z.describe(
              '`redeem`: ggAVAX for AVAX. `claimUnstake`: a fulfilled withdrawal request. `reclaimExpired`: an expired one. `withdrawMinipool`: a minipool that is over. `claimRewards`: GGP rewards. `withdrawGGP`: GGP stake. `unlock`: a lock that has ended.',
            ),
          ),
          amount: decimal('What it pays. Exact decimal string.'),
          token: token(),
          contract: address('Contract to call, from the address itself.'),
          function: text('Function to call.'),
          arguments: z
            .array(z.string())
            .check(z.describe('Its arguments; amounts in the smallest unit, node IDs as 0x-hex.')),
        }),
      ),
    )
    .check(z.describe('Each single transaction that would pay something at this block.')),
  totalAVAX: z.optional(
    tokens(
      'AVAX',
      'Value of all of the above: ggAVAX at the redemption rate, requests at what they promise, GGP at `ggpInAVAX` of `/prices`. Derived. Omitted if a part is unknown.',
    ),
  ),
  totalUSD: z.optional(quantity('USD', '`totalAVAX` at `avaxInUSD` of `/prices`. Omitted if either is unknown.')),
});

type Accounted = Common & { state: ProtocolState };

/** The body of an account, without its block. */
export function accountBody(account: Account, { state, totals, prices, block }: Accounted) {
  const { ggAvax, pstAvax, xGgp, locks, staking, minipools, withdrawals } = account;
  const ofStatus = (status: string) => withdrawals.filter((request) => request.status === status);
  const total = totalAVAX(account, totals, prices.ggpInAVAX?.price);
  const [pending, fulfilled, expired] = ['pending', 'fulfilled', 'expired'].map(ofStatus) as [
    typeof withdrawals,
    typeof withdrawals,
    typeof withdrawals,
  ];
  return {
    address: account.address,
    ggAvax: {
      balance: formatAmount(ggAvax.balance),
      avax: formatAmount(ggAvax.avax),
      redemption: ifKnown(redemptionBody, ggAvax.redemption),
    },
    pstAvax: ifKnown(formatAmount, pstAvax),
    xGgp: xGgp && { shares: formatAmount(xGgp.shares), ggp: formatAmount(xGgp.ggp) },
    locked: locks?.map(({ token, amount, unlockTime }) => ({
      token: TOKEN_NAMES[token],
      amount: formatAmount(amount),
      until: unlockTime,
    })),
    staking: staking && {
      ggpStaked: formatAmount(staking.ggpStaked),
      ggpWithdrawable: ifKnown(formatAmount, staking.ggpWithdrawable),
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
      expiredAVAX: formatAmount(sumOf(expired, ({ expectedAssets }) => expectedAssets)),
    },
    availableNow: availableNow(account, state, block.timestamp),
    totalAVAX: ifKnown(formatAmount, total),
    totalUSD: ifKnown(toNumber, ifKnown(mulWad, total, prices.avaxInUSD?.price)),
  };
}

function availableNow(account: Account, { addresses, network }: ProtocolState, now: number) {
  const { ggAvax, staking, minipools = [], withdrawals, locks = [] } = account;
  const pays = (
    what: (typeof WAYS)[number],
    amount: bigint,
    token: (typeof TOKENS)[number],
    contract: string,
    call: string,
    ...args: (bigint | number | string)[]
  ) =>
    amount > 0n
      ? [
          {
            what,
            amount: formatAmount(amount),
            token,
            contract: getAddress(contract),
            function: call,
            arguments: args.map(String),
          },
        ]
      : [];
  const { shares = 0n, assets = 0n } = ggAvax.redemption ?? {};
  const { ggpRewards = 0n, ggpWithdrawable = 0n } = staking ?? {};
  const unlocked = (lock: Lock) => (lock.unlockTime <= now ? lock.amount : 0n);
  return [
    ...pays('redeem', assets, 'AVAX', addresses.TokenggAVAX, 'redeemAVAX(uint256)', shares),
    ...withdrawals.flatMap(({ requestId, status, allocatedFunds, expiryShares = 0n }) =>
      status === 'fulfilled'
        ? pays('claimUnstake', allocatedFunds, 'AVAX', network.withdrawQueue, 'claimUnstake(uint256)', requestId)
        : status === 'expired'
          ? pays(
              'reclaimExpired',
              expiryShares,
              'ggAVAX',
              network.withdrawQueue,
              'reclaimExpiredRequest(uint256)',
              requestId,
            )
          : [],
    ),
    ...withdrawableMinipools(minipools).flatMap(({ nodeID, avax }) =>
      pays('withdrawMinipool', avax, 'AVAX', addresses.MinipoolManager, 'withdrawMinipoolFunds(address)', nodeID),
    ),
    ...pays('claimRewards', ggpRewards, 'GGP', addresses.ClaimNodeOp, 'claimAndRestake(uint256)', ggpRewards),
    ...pays('withdrawGGP', ggpWithdrawable, 'GGP', addresses.Staking, 'withdrawGGP(uint256)', ggpWithdrawable),
    ...locks.flatMap((lock) =>
      pays(
        'unlock',
        unlocked(lock),
        TOKEN_NAMES[lock.token],
        network.assetLocker as string,
        'withdrawTokens(address,uint256)',
        getAddress(addresses[lock.token]),
        lock.amount,
      ),
    ),
  ];
}

function sumOf<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}

/** The example of an address that holds ggAVAX and has staked GGP. */
export const ACCOUNT_EXAMPLE = {
  address: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
  ggAvax: {
    balance: '100',
    avax: '119.643981786406244',
    redemption: { open: true, ggAvax: '100', avax: '119.643981786406244' },
  },
  pstAvax: '0',
  xGgp: { shares: '0', ggp: '0' },
  locked: [],
  staking: { ggpStaked: '12345.5', ggpWithdrawable: '12345.5', ggpRewards: '294.5' },
  minipools: { count: 1, stakedAVAX: '0', withdrawableAVAX: '0' },
  withdrawals: { pending: 1, pendingAVAX: '29.9', claimableAVAX: '0', expired: 0, expiredAVAX: '0' },
  availableNow: [
    {
      what: 'redeem' as const,
      amount: '119.643981786406244',
      token: 'AVAX' as const,
      contract: '0xA25EaF2906FA1a3a13EdAc9B9657108Af7B703e3',
      function: 'redeemAVAX(uint256)',
      arguments: ['100000000000000000000'],
    },
  ],
  totalAVAX: '239.853983786406244',
  totalUSD: 2_350.569041,
};
