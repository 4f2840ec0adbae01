import type { ComponentChildren } from 'preact';
import type { AddressRewards, Flags, Redemption, Staker, Withdrawals } from './bodies.ts';
import { counted, withUnit } from './format.ts';
import { When } from './quantity.tsx';
import { payoutOf } from './remarks.tsx';
import { costOfWithdrawing, isAssigned, withdrawableGGP } from './your-stake.tsx';
import { claimableOf } from './your-withdrawals.tsx';

interface AvailableProps {
  flags: Flags | undefined;
  redemption: Redemption | undefined;
  withdrawals: Withdrawals | undefined;
  staker: Staker | undefined;
  rewards: AddressRewards | undefined;
  /** Maximum collateral for rewards, percent of the assigned AVAX. */
  most: number | undefined;
}

/** What an address can claim and withdraw now, from all cards, and what that costs; nothing if there is nothing. */
export function Available({ flags, redemption, withdrawals, ...stake }: AvailableProps) {
  if (!flags) return null;
  const claimable = withdrawals && claimableOf(withdrawals, flags);
  const redeemable = Number(redemption?.avax ?? 0);
  const parts: ComponentChildren[] = [
    redeemable > 0 && `${withUnit(redeemable, 'AVAX')} for ggAVAX`,
    ...stakeParts(stake, flags.flags.ggpRewardsClaims?.enabled === true),
    claimable && (
      <>
        {`${withUnit(claimable.avax, 'AVAX')} from the withdrawal queue, until `}
        <When at={claimable.until} />
      </>
    ),
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const costs = stake.staker && stake.rewards && costOfWithdrawing(stake.staker, stake.rewards, stake.most);
  return (
    <>
      <strong>Available now:</strong>
      {parts.map((part, index) => [index === 0 ? ' ' : '; ', part])}.{costs && ` ${costs}`}{' '}
      <a href="docs/guide#claim-without-a-website">How to claim</a>
    </>
  );
}

/** What a node operator can claim and withdraw. */
function stakeParts(
  { staker, rewards, most }: Omit<AvailableProps, 'flags' | 'redemption' | 'withdrawals'>,
  isClaimOpen: boolean,
) {
  const unclaimed = Number(rewards?.ggpRewards ?? 0);
  const unneeded = (staker && rewards && withdrawableGGP(staker, rewards, most)) ?? 0;
  // Behind assigned AVAX, it depends on the price of the block that withdraws it.
  const about = staker && isAssigned(staker) ? '≈ ' : '';
  const payouts = (staker?.minipools ?? []).map(payoutOf).filter((payout) => payout > 0);
  const payout = payouts.reduce((sum, amount) => sum + amount, 0);
  return [
    isClaimOpen && unclaimed > 0 && `${withUnit(unclaimed, 'GGP')} of rewards`,
    unneeded > 0 && `${about}${withUnit(unneeded, 'GGP')} of the stake`,
    payout > 0 && `${withUnit(payout, 'AVAX')} from ${counted(payouts.length, 'minipool')}`,
  ];
}
