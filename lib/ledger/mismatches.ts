/** Mismatches: figures in which the ledger and the contracts differ, and the answers that depend on them. */

import type { BlockRef } from '../values/block.ts';

/** A sum of the ledger, and the different value that a contract's view returns at the same block. */
export interface Mismatch {
  contract: string;
  view: string;
  /**
   * The address, node (20 bytes, both lower-case 0x-hex), request or cycle that the figure is about; missing if there is
   * only one figure.
   */
  key?: string;
  ledger: string;
  chain: string;
  block: number;
  /** The last block before it differs, or an earlier one; missing if none is known. */
  agreedAt?: BlockRef | undefined;
}

/** Most mismatches that an answer names. */
export const MAX_MISMATCHES = 10;

/** Most mismatches that are stored one by one: all share one row, which is read often and limited to 400 kB. */
const MOST_STORED = 500;

/**
 * The figures that an answer depends on: the figures of these contracts and, if a staker is given, of Staking only that
 * staker's. The guardian can write the state of a staker without an event. Indexing again does not heal that, so it must
 * not end everybody's history.
 */
export interface Scope {
  contracts: readonly string[];
  /** 0x-hex. */
  staker?: string;
}

/** Contracts whose state changes only with an event: if a figure differs, an event is missing, doubled or altered. */
export const WRITTEN_WITH_EVENTS: Scope = { contracts: ['TokenggAVAX', 'WithdrawQueue', 'Vault'] };
/**
 * A transfer that names a wrong holder also concerns the right holder, whom the ledger does not name. So a mismatch
 * concerns all holders.
 */
export const GG_AVAX: Scope = { contracts: ['TokenggAVAX', 'WithdrawQueue'] };
export const REWARDS_CYCLES: Scope = { contracts: ['RewardsPool', 'Vault'] };
/** A scope of no contract: no mismatch counts. */
export const NO_MISMATCHES: Scope = { contracts: [] };
export const MINIPOOLS: Scope = { contracts: ['MinipoolManager'] };

/** The claims of one staker (0x-hex). */
export function ofClaims(staker: string): Scope {
  return { contracts: ['Vault', 'Staking'], staker };
}

/**
 * True if a mismatch concerns a scope; always true without a scope. A claim that names a wrong staker also concerns the
 * right staker, whom the ledger does not name. So a mismatch of claims concerns all stakers.
 */
export function concerns({ contract, view, key }: Mismatch, scope?: Scope): boolean {
  if (!scope) return true;
  if (!scope.contracts.includes(contract)) return false;
  return contract !== 'Staking' || view !== 'getGGPStake' || key === undefined || key === scope.staker?.toLowerCase();
}

/**
 * Reduces mismatches to as many as can be stored: the first {@link MOST_STORED} as they are, and the others added up to
 * one per contract and view, with the sums of both sides. A sum has no key, so it concerns everybody.
 */
export function storable(mismatches: readonly Mismatch[]): Mismatch[] {
  const others = Map.groupBy(mismatches.slice(MOST_STORED), ({ contract, view }) => `${contract} ${view}`);
  return [...mismatches.slice(0, MOST_STORED), ...[...others.values()].map(addUp)];
}

function addUp(mismatches: readonly Mismatch[]): Mismatch {
  const sum = (side: 'ledger' | 'chain') => String(mismatches.reduce((sum, one) => sum + BigInt(one[side]), 0n));
  const { contract, view, block } = mismatches[0] as Mismatch;
  return { contract, view, ledger: sum('ledger'), chain: sum('chain'), block, agreedAt: confirmedBefore(mismatches) };
}

/** Returns the earliest `agreedAt` of these mismatches (at least one); undefined if one of them has none. */
export function confirmedBefore(mismatches: readonly Mismatch[]): BlockRef | undefined {
  const numberOf = ({ agreedAt }: Mismatch) => agreedAt?.number ?? -1;
  return mismatches.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one)).agreedAt;
}
