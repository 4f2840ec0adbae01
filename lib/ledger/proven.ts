/**
 * Up to where the ledger is what the contracts say. While a later part is contradicted, what is added up ends there, and
 * says so: its `coverage` does. Without old states, or while blocks are missing, nothing can be added up.
 */

import type { BlockRef } from '../values/block.ts';
import type { Contradiction, Coverage } from './ledger-progress.ts';

/** The last block before all of these, of which there is one; undefined if that of one is not known. */
export function provenBefore(contradictions: readonly Contradiction[]): BlockRef | undefined {
  const numberOf = ({ agreedAt }: Contradiction) => agreedAt?.number ?? -1;
  return contradictions.reduce((one, other) => (numberOf(other) < numberOf(one) ? other : one)).agreedAt;
}

/**
 * The blocks from the protocol's first one on of which all is known: those that have been searched, or of these as many
 * as are proven. Undefined if there are none.
 */
export function provenPart(coverage: Coverage): Coverage | undefined {
  const { complete, provenAt } = coverage;
  if (complete) return coverage;
  return provenAt && { ...coverage, to: provenAt.number, toTimestamp: provenAt.timestamp };
}

/** Whether all before a time (unix seconds) is known, although later blocks may be contradicted. */
export function isProvenUntil({ complete, provenAt }: Coverage, time = Number.POSITIVE_INFINITY): boolean {
  return complete || (provenAt !== undefined && time <= provenAt.timestamp);
}

/** What is in these blocks, and which they are. */
export function provenOf<Placed extends { block: number }>(all: readonly Placed[], coverage: Coverage) {
  const part = provenPart(coverage);
  return { proven: part ? all.filter(({ block }) => block <= part.to) : [], coverage: part ?? coverage };
}
