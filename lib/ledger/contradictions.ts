/** Figures in which the ledger and the contracts differ. */

import type { BlockRef } from '../values/block.ts';

/** What the ledger adds up to, and what the contract says at the same block. */
export interface Contradiction {
  /** `<view> (<contract>)`, and the address, node or request that it is about; see concerns.ts. */
  what: string;
  ledger: string;
  contract: string;
  block: number;
  /** The last block before it differs, or an earlier one; missing if none is known. */
  agreedAt?: BlockRef | undefined;
}

/** More of them say no more in an answer. */
export const MAX_CONTRADICTIONS = 10;

/** They are stored in one row, which must not have more than 400 kB, and is read often. */
const MOST_STORED = 500;

/**
 * As many as can be stored: each of the first ones, and all others as one of each view, with the sums of both sides. It
 * names nobody, so it concerns everybody.
 */
export function storable(contradictions: readonly Contradiction[]): Contradiction[] {
  const viewOf = ({ what }: Contradiction) => what.slice(0, what.lastIndexOf(')') + 1);
  const others = Map.groupBy(contradictions.slice(MOST_STORED), viewOf);
  return [...contradictions.slice(0, MOST_STORED), ...[...others].map(([view, those]) => addUp(view, those))];
}

function addUp(what: string, those: readonly Contradiction[]): Contradiction {
  const sum = (side: 'ledger' | 'contract') => String(those.reduce((sum, one) => sum + BigInt(one[side]), 0n));
  const { block } = those[0] as Contradiction;
  return { what, ledger: sum('ledger'), contract: sum('contract'), block, agreedAt: provenBefore(those) };
}

/** The last block before all of these, of which there is one; undefined if that of one is not known. */
export function provenBefore(contradictions: readonly Contradiction[]): BlockRef | undefined {
  const numberOf = ({ agreedAt }: Contradiction) => agreedAt?.number ?? -1;
  return contradictions.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one)).agreedAt;
}
