import { Contract, Interface } from 'ethers';
import type { View } from '../chain/chain.ts';
import { ifAnswered } from './answered.ts';

const ABI = new Interface([
  'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
]);

/** GGP wei that all stakers have staked: the Vault's ledger for the Staking contract (`Staking.getTotalGGPStake`). */
export function readTotalGGPStake({ runner, addresses }: View): Promise<bigint | undefined> {
  const vault = new Contract(addresses.Vault, ABI, runner);
  return ifAnswered(vault.getFunction('balanceOfToken')('Staking', addresses.TokenGGP));
}
