/** The transactions by which people take out what is theirs, and running them without effect. */

import { isError } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { parseInterface } from '../chain/contract.ts';

const ABI = [
  'function redeemAVAX(uint256 shares) returns (uint256 assets)',
  'function claimUnstake(uint256 requestId)',
  'function cancelRequest(uint256 requestId)',
  'function reclaimExpiredRequest(uint256 requestId)',
  'function withdrawMinipoolFunds(address nodeID)',
  'function cancelMinipool(address nodeID)',
  'function claimAndRestake(uint256 claimAmt)',
  'function withdrawGGP(uint256 amount)',
  'function withdraw(uint256 assets) returns (uint256 vaultShares)',
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)',
  'function withdrawTokens(address token, uint256 amount)',
] as const;

/** A call of one of the functions above; amounts in wei. */
export interface Transaction {
  contract: string;
  /** The function's signature, such as `redeemAVAX(uint256)`. */
  signature: string;
  args: readonly (bigint | number | string)[];
}

/**
 * What a transaction of `sender` would return at the state's block (the first 32 bytes as a number, 0 if it returns
 * nothing), or undefined if the chain refuses it. Throws if the provider does not run it.
 */
export async function tryOut(
  { runner }: ProtocolState,
  sender: string,
  { contract, signature, args }: Transaction,
): Promise<bigint | undefined> {
  const data = parseInterface(ABI).encodeFunctionData(signature, args);
  try {
    const returned = await runner.call({ to: contract, data, from: sender });
    return returned === '0x' ? 0n : BigInt(returned.slice(0, 66));
  } catch (error) {
    if (isError(error, 'CALL_EXCEPTION')) return undefined;
    throw error;
  }
}
