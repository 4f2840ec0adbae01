/** The transactions with which people take out their funds, their calldata, and their simulation. */

import { isError } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { parseInterface } from '../chain/contract.ts';

const ABI = [
  'function redeemAVAX(uint256 shares) returns (uint256 assets)',
  'function approve(address spender, uint256 amount)',
  'function requestUnstake(uint256 shares, uint48 expirationDelay)',
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

/** A call of one of the functions above, without AVAX; amounts in wei. */
export interface Transaction {
  chainId: number;
  contract: string;
  /** The function's signature, such as `redeemAVAX(uint256)`. */
  signature: string;
  args: readonly (bigint | number | string)[];
  /** The explorer's page that sends it; undefined on networks without an explorer. */
  url?: string | undefined;
}

/** How `transferFrom` fails without an allowance: an underflow, solmate's `TRANSFER_FROM_FAILED`, OpenZeppelin's error. */
const NOT_ALLOWED = /^0x4e487b710{62}11$|5452414e534645525f46524f4d5f4641494c4544|^0xfb8f41b2/;

export function encodeCall({ signature, args }: Transaction): string {
  return parseInterface(ABI).encodeFunctionData(signature, args);
}

/**
 * Simulates a transaction of `sender` at the state's block. Returns the first 32 bytes of its result as a number (0 for an
 * empty one), or undefined if it reverts. A request that lacks only the approval before it does not. Throws if the
 * provider does not simulate it.
 */
export async function simulate(
  { runner }: ProtocolState,
  sender: string,
  transaction: Transaction,
): Promise<bigint | undefined> {
  try {
    const call = { to: transaction.contract, data: encodeCall(transaction), from: sender };
    const returned = await runner.call(call);
    return returned === '0x' ? 0n : BigInt(returned.slice(0, 66));
  } catch (error) {
    if (!isError(error, 'CALL_EXCEPTION')) throw error;
    const { signature } = transaction;
    return signature.startsWith('requestUnstake') && NOT_ALLOWED.test(error.data ?? '') ? 0n : undefined;
  }
}
