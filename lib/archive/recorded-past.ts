/** Completeness of the recorded history. A recorder that has just started has the newest days first. */

import type { Services } from '../api/services.ts';
import { readMissingBoundaries } from '../history/record-history.ts';
import { isoDay } from '../values/iso-time.ts';
import type { Manifest } from './manifest.ts';

/** Seconds after a midnight until its point is expected: it is recorded with a delay. */
const LATE_SECONDS = 2 * 3_600;

/**
 * Returns what is recorded of the daily history, and the number of missing days, up to a time (unix seconds). Days are
 * expected from the protocol's first event on, once that is in the ledger. Throws UPSTREAM_UNAVAILABLE if a table does
 * not answer.
 */
export async function readRecordedPast(context: Services, upTo: number): Promise<NonNullable<Manifest['history']>> {
  const { history } = context;
  const recordedFrom = await history.recordedFrom('1d');
  const start = context.config.historyStart ?? (await context.ledger.start()) ?? recordedFrom ?? upTo;
  const missing = await readMissingBoundaries(history, '1d', start, upTo - LATE_SECONDS);
  return { recordedFrom, missing: missing.length };
}

interface Past {
  history?: Manifest['history'];
  /** `first` is the protocol's first block, once it is known. */
  ledger: Pick<Manifest['ledger'], 'first'>;
}

/** Describes the missing part in words; undefined if nothing is missing. */
export function describeMissing({ history, ledger }: Past): string | undefined {
  if (ledger.first === undefined)
    return "the protocol's first block is not known yet, so older events and days are missing";
  if (!history?.missing) return undefined;
  const { recordedFrom, missing } = history;
  const from = recordedFrom === undefined ? 'no day is recorded' : `recorded from ${isoDay(recordedFrom)}`;
  return `${missing} ${missing === 1 ? 'day' : 'days'} of the history ${missing === 1 ? 'is' : 'are'} missing (${from})`;
}
