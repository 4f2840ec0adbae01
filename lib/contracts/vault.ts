import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';

const ABI = new Abi([
  'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
]);

/** GGP wei that all stakers have staked: the Vault's ledger for the Staking contract (`Staking.getTotalGGPStake`). */
export function readTotalGGPStake({ runner, addresses }: View): Promise<bigint | undefined> {
  const vault = contractAt(runner, addresses.Vault, ABI);
  return ifAnswered(vault('balanceOfToken', 'Staking', addresses.TokenGGP));
}
