/** The transactions with which people take out their funds, their calldata, and their simulation. */

import { Interface, isError } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';

/** A call without AVAX; amounts in wei. */
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

const interfaces = new Map<string, Interface>();

/** Calldata. Each signature is parsed once, because that takes 0.2 ms. */
export function encodeCall({ signature, args }: Transaction): string {
  const parsed = interfaces.get(signature) ?? new Interface([`function ${signature}`]);
  interfaces.set(signature, parsed);
  return parsed.encodeFunctionData(signature, args);
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
    const returned = await runner.call({ to: transaction.contract, data: encodeCall(transaction), from: sender });
    return returned === '0x' ? 0n : BigInt(returned.slice(0, 66));
  } catch (error) {
    if (!isError(error, 'CALL_EXCEPTION')) throw error;
    return transaction.signature.startsWith('requestUnstake') && NOT_ALLOWED.test(error.data ?? '') ? 0n : undefined;
  }
}
