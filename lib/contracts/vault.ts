import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';
import { isRegistered } from '../chain/storage.ts';

export const VAULT_ABI = [
  'function balanceOfToken(string networkContractName, address tokenAddress) view returns (uint256)',
] as const;

/**
 * GGP wei that all stakers have staked: the Vault's balance for the Staking contract (`Staking.getTotalGGPStake`).
 * Undefined if no token is registered: the Vault answers 0 then.
 */
export function readTotalGGPStake(state: ProtocolState): Promise<bigint | undefined> {
  return readVaultGGP(state, 'Staking');
}

/** GGP wei that the Vault holds for a contract. Undefined like {@link readTotalGGPStake}. */
export async function readVaultGGP(
  { runner, addresses }: ProtocolState,
  contract: 'Staking' | 'ClaimNodeOp',
): Promise<bigint | undefined> {
  if (!isRegistered({ addresses }, 'TokenGGP')) return undefined;
  return ifAnswered(contractAt(addresses.Vault, VAULT_ABI, runner).balanceOfToken(contract, addresses.TokenGGP));
}
