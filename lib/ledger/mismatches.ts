/** Figures in which the ledger and the contracts differ. They are an alarm: only answers about their own key name them. */

/** A sum of the ledger, and the different value that a contract's view returns at the same block. */
export interface Mismatch {
  contract: string;
  view: string;
  /** The address, node (20 bytes, both lower-case 0x-hex) or request that the figure is about; missing if there is only one. */
  key?: string;
  /** The holder, staker, owner or requester whose figure it is; lower-case 0x-hex. */
  address?: string;
  ledger: string;
  chain: string;
  block: number;
}

export const MAX_MISMATCHES = 10;

export const GG_AVAX = ['TokenggAVAX', 'WithdrawQueue'];
export const MINIPOOLS = ['MinipoolManager'];
export const STAKING = ['Staking'];

/** True if a figure of an address (0x-hex) in one of these contracts differs. */
export function isDoubted(
  { check }: { check: { mismatches: readonly Mismatch[] } | undefined },
  contracts: readonly string[],
  address: string,
): boolean {
  const own = address.toLowerCase();
  return check?.mismatches.some((one) => contracts.includes(one.contract) && one.address === own) ?? false;
}
