import { parseEther } from 'ethers';
import type { Contract } from '../chain.ts';
import { DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import { act, type Step } from './step.ts';

/**
 * People's holdings in the contracts around the protocol: AVAX without yield, two vaults that have staked most of their
 * deposits, and locks. The locker's admin holds the locks back until a date.
 */
export function otherHoldingSteps({ protocol, people, startOfDay0 }: Stage): Step[] {
  const { TokenpstAVAX, XGGP, XAVAX, AssetLocker, TokenGGP, TokenggAVAX, WAVAX } = protocol;
  const { alba, carla, fabio, ada, boris, guardian, keeper } = people;
  const enter = (day: number, by: string, vault: Contract, token: Contract, assets: string): Step[] => [
    act(day, by, token, 'approve', [vault.address, parseEther(assets)]),
    act(day, by, vault, 'deposit', [parseEther(assets), by]),
  ];
  const lock = (day: number, by: string, token: Contract, amount: string, days: number): Step[] => [
    act(day, by, token, 'approve', [AssetLocker.address, parseEther(amount)]),
    act(day, by, AssetLocker, 'lockTokens', [token.address, parseEther(amount), days * DAY]),
  ];
  return [
    act(48, guardian, AssetLocker, 'setWithdrawDate', [startOfDay0 + 75 * DAY]),
    act(48, alba, TokenpstAVAX, 'depositAVAX', [], parseEther('64.5')),
    act(70, carla, TokenpstAVAX, 'depositAVAX', [], parseEther('8')),
    ...enter(49, ada, XGGP, TokenGGP, '900'),
    ...enter(52, boris, XGGP, TokenGGP, '310'),
    act(53, keeper, XGGP, 'stakeOnNode', [parseEther('1000')]),
    act(49, fabio, WAVAX, 'deposit', [], parseEther('55')),
    ...enter(50, fabio, XAVAX, WAVAX, '55'),
    act(53, keeper, XAVAX, 'stakeOnNode', [parseEther('20')]),
    ...lock(57, fabio, TokenggAVAX, '12.25', 14),
    ...lock(60, alba, TokenpstAVAX, '20', 10),
    ...lock(72, ada, TokenGGP, '410', 180),
  ];
}
