import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';
import { gettersOf } from './getters.ts';

const readGetters = gettersOf({
  getRewardsCycleCount: 'uint256',
  getRewardsCycleStartTime: 'uint256',
  getRewardsCycleTotalAmt: 'uint256',
  getInflationIntervalStartTime: 'uint256',
});

const TOKEN_ABI = new Abi(['function totalSupply() view returns (uint256)']);

/** The GGP rewards cycle: its number, start (unix seconds) and the GGP wei paid when it started, and the inflation clock. */
export function readRewardsPool({ runner, addresses }: View) {
  return readGetters(runner, addresses.RewardsPool);
}

/** GGP wei in existence, or undefined before there was a token. */
export function readGGPSupply({ runner, addresses }: View): Promise<bigint | undefined> {
  const token = contractAt(runner, addresses.TokenGGP, TOKEN_ABI);
  return ifAnswered(token('totalSupply'));
}
