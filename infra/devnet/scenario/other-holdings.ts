import { parseEther } from 'ethers';
import type { Contract } from '../chain.ts';
import { DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import { act, type Step } from './step.ts';

/** What people have in the contracts around the protocol: AVAX without yield, a vault of GGP, and locks. */
export function otherHoldingSteps({ protocol, people }: Stage): Step[] {
  const { TokenpstAVAX, XGGP, AssetLocker, TokenGGP, TokenggAVAX } = protocol;
  const { alba, fabio, ada, keeper } = people;
  const lock = (day: number, by: string, token: Contract, amount: string, days: number): Step[] => [
    act(day, by, token, 'approve', [AssetLocker.address, parseEther(amount)]),
    act(day, by, AssetLocker, 'lockTokens', [token.address, parseEther(amount), days * DAY]),
  ];
  return [
    act(48, alba, TokenpstAVAX, 'depositAVAX', [], parseEther('64.5')),
    act(49, ada, TokenGGP, 'approve', [XGGP.address, parseEther('900')]),
    act(49, ada, XGGP, 'deposit', [parseEther('900'), ada]),
    act(53, keeper, TokenGGP, 'transfer', [XGGP.address, parseEther('31.7')]),
    ...lock(57, fabio, TokenggAVAX, '12.25', 14),
    ...lock(72, ada, TokenGGP, '410', 180),
  ];
}
