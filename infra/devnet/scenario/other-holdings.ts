import { parseEther } from 'ethers';
import type { Contract } from '../chain.ts';
import { DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import { act, type Step } from './step.ts';

/**
 * People's holdings in the contracts around the protocol: AVAX without yield, two vaults that have staked most of their
 * deposits, and locks. The locker's admin holds the locks back until a date.
 */
export function otherHoldingSteps({ protocol, people }: Stage, startOfDay0: number): Step[] {
  const { TokenpstAVAX, XGGP, XAVAX, AssetLocker, TokenGGP, TokenggAVAX } = protocol;
  const { alba, carla, fabio, ada, boris, guardian, keeper } = people;
  const enter = (day: number, by: string, assets: string): Step[] => [
    act(day, by, TokenGGP, 'approve', [XGGP.address, parseEther(assets)]),
    act(day, by, XGGP, 'deposit', [parseEther(assets), by]),
  ];
  const lock = (day: number, by: string, token: Contract, amount: string, days: number): Step[] => [
    act(day, by, token, 'approve', [AssetLocker.address, parseEther(amount)]),
    act(day, by, AssetLocker, 'lockTokens', [token.address, parseEther(amount), days * DAY]),
  ];
  return [
    ...[TokenGGP, TokenggAVAX, TokenpstAVAX].map((token) =>
      act(48, guardian, AssetLocker, 'addAllowedToken', [token.address]),
    ),
    act(48, guardian, AssetLocker, 'setWithdrawDate', [startOfDay0 + 75 * DAY]),
    act(48, alba, TokenpstAVAX, 'depositAVAX', [], parseEther('64.5')),
    act(70, carla, TokenpstAVAX, 'depositAVAX', [], parseEther('8')),
    ...enter(49, ada, '900'),
    ...enter(52, boris, '310'),
    act(53, keeper, XGGP, 'stakeOnNode', [parseEther('1000'), keeper]),
    act(60, keeper, XGGP, 'distributeRewards'),
    act(50, fabio, XAVAX, 'depositAVAX', [], parseEther('55')),
    act(53, keeper, XAVAX, 'stakeOnNode', [parseEther('20'), keeper]),
    act(60, keeper, XAVAX, 'distributeRewards'),
    ...lock(57, fabio, TokenggAVAX, '12.25', 14),
    ...lock(60, alba, TokenpstAVAX, '20', 10),
    ...lock(72, ada, TokenGGP, '410', 180),
  ];
}
