/** Figures of the ledger that differ from the contracts: an alarm. Only answers about the address of one name it. */

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

/** A comparison with the contracts. */
export interface Check {
  /** Time at which the next comparison is due, unix seconds. */
  dueAt: number;
  mismatches: Mismatch[];
}

/** The contracts whose figures show whether the events of a source of income are true. */
const CONTRACTS = { ggAvax: ['TokenggAVAX', 'WithdrawQueue'], minipools: ['MinipoolManager'], ggp: ['Staking'] };

/** True if a figure of an address (0x-hex) about this source differs. */
export function isDoubted(
  { check }: { check?: Check | undefined },
  source: keyof typeof CONTRACTS,
  address: string,
): boolean {
  const own = address.toLowerCase();
  return check?.mismatches.some((one) => CONTRACTS[source].includes(one.contract) && one.address === own) ?? false;
}
