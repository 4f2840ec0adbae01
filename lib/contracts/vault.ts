import { ifAnswered } from '../chain/answered.ts';
import type { View } from '../chain/chain.ts';
import { contractOf } from '../chain/contract.ts';
import { isRegistered } from '../chain/storage.ts';

export const vaultAt = contractOf([
  'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
]);

/**
 * GGP wei that all stakers have staked: what the Vault holds for the Staking contract (`Staking.getTotalGGPStake`).
 * Undefined if no token is registered, for which the Vault answers 0.
 */
export async function readTotalGGPStake({ runner, addresses }: View): Promise<bigint | undefined> {
  if (!isRegistered({ addresses }, 'TokenGGP')) return undefined;
  return ifAnswered(vaultAt(runner, addresses.Vault).balanceOfToken('Staking', addresses.TokenGGP));
}
