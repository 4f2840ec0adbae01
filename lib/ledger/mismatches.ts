/** Figures in which the ledger and the contracts differ, and what they concern. */

import type { BlockRef } from '../values/block.ts';

/** What the ledger adds up to, and what a view of a contract returns at the same block. */
export interface Mismatch {
  contract: string;
  view: string;
  /** The address, node (20 bytes, both lower-case 0x-hex), request or cycle that the figure is about; missing if there is only one. */
  key?: string;
  ledger: string;
  chain: string;
  block: number;
  /** The last block before it differs, or an earlier one; missing if none is known. */
  agreedAt?: BlockRef | undefined;
}

/** An answer names no more of them. */
export const MAX_MISMATCHES = 10;

/** They are stored in one row, which must not have more than 400 kB, and is read often. */
const MOST_STORED = 500;

/**
 * The figures that an answer depends on: those of these contracts and, if a staker is given, of Staking only that
 * staker's. The guardian can write the state of a staker without an event, which no indexing heals: it must not end
 * everybody's past.
 */
export interface Scope {
  contracts: readonly string[];
  /** 0x-hex. */
  staker?: string;
}

/** Nobody can write these contracts without an event: if one differs, an event is missing, doubled or altered. */
export const WRITTEN_WITH_EVENTS: Scope = { contracts: ['TokenggAVAX', 'WithdrawQueue', 'Vault'] };
/** A transfer that names a wrong holder concerns the right one, of whom the ledger knows nothing: so all of them. */
export const GG_AVAX: Scope = { contracts: ['TokenggAVAX', 'WithdrawQueue'] };
export const REWARDS_CYCLES: Scope = { contracts: ['RewardsPool', 'Vault'] };
export const YIELDS: Scope = { contracts: ['TokenggAVAX', 'RewardsPool', 'Vault'] };
/** As if no figure differed. */
export const NO_MISMATCHES: Scope = { contracts: [] };
export const MINIPOOLS: Scope = { contracts: ['MinipoolManager'] };

/** The claims of one staker (0x-hex). */
export function ofClaims(staker: string): Scope {
  return { contracts: ['Vault', 'Staking'], staker };
}

/**
 * Whether a mismatch concerns what is in a scope; without one, everything. A claim that names a wrong staker concerns the
 * right one, of whom the ledger knows nothing: so all of them.
 */
export function concerns({ contract, view, key }: Mismatch, scope?: Scope): boolean {
  if (!scope) return true;
  if (!scope.contracts.includes(contract)) return false;
  return contract !== 'Staking' || view !== 'getGGPStake' || key === undefined || key === scope.staker?.toLowerCase();
}

/**
 * As many as can be stored: each of the first ones, and of the others one for each view, with the sums of both sides. It
 * has no key, so it concerns everybody.
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

/** The last block before all of these, of which there is one; undefined if that of one is not known. */
export function confirmedBefore(mismatches: readonly Mismatch[]): BlockRef | undefined {
  const numberOf = ({ agreedAt }: Mismatch) => agreedAt?.number ?? -1;
  return mismatches.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one)).agreedAt;
}
