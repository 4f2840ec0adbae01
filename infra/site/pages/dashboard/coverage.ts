/** What the dashboard says of how far events are known. */

import type { Coverage } from './bodies.ts';

/** Why not all of a past is known, in words; undefined if it is. */
export function gapIn({ complete, contradicts, provenAt }: Coverage): string | undefined {
  if (complete) return undefined;
  if (contradicts) return 'the events do not add up to what the contracts say';
  return provenAt ? 'there are too many events to add up all of them' : 'earlier blocks are still to be read';
}

/** Which blocks are covered, as a sentence. */
export function searched(coverage: Coverage): string {
  const { from, to, complete, contradicts, provenAt } = coverage;
  if (complete) return `Covers all blocks up to ${to}`;
  const soFar = contradicts || provenAt ? '' : ' so far';
  return `Covers blocks ${from} to ${to}${soFar}; ${gapIn(coverage)}`;
}
