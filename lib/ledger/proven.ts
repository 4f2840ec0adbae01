/**
 * Up to where the ledger is what the contracts say. While a later part is contradicted, what is added up ends there, and
 * says so: its `coverage` does. So it does where an address has too many entries to add up all of them. Without old
 * states, or while blocks are missing, nothing can be added up.
 */

import type { Entry } from './ledger-entry.ts';
import type { Coverage } from './ledger-progress.ts';

/**
 * As many entries as are read of a holder: with them, an answer takes less than three seconds (docs/costs.md). People
 * have a few; a market may have many, and anybody may send somebody so many transfers.
 */
export const MOST_ENTRIES = 50_000;

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

/** The coverage of entries that end with one, because later ones are too many. */
export function limitedTo({ block: to, timestamp }: Pick<Entry, 'block' | 'timestamp'>, coverage: Coverage): Coverage {
  const proven = provenPart(coverage);
  if (proven && proven.to <= to) return coverage;
  const part = { ...coverage, to, toTimestamp: timestamp };
  return proven ? { ...part, complete: false, provenAt: { number: to, timestamp } } : part;
}

/** What is in these blocks, and which they are. */
export function provenOf<Placed extends { block: number }>(all: readonly Placed[], coverage: Coverage) {
  const part = provenPart(coverage);
  return { proven: part ? all.filter(({ block }) => block <= part.to) : [], coverage: part ?? coverage };
}
