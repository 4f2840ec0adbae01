/** What the dashboard says of how far events are known. */

import type { Coverage } from './bodies.ts';

/** Why not all of the past is known, in words; undefined if it is. */
export function gapIn({ complete, confirmedBlock }: Coverage): string | undefined {
  if (complete) return undefined;
  if (confirmedBlock === undefined) return 'earlier blocks are still to be read';
  return 'later events are not confirmed yet, or too many to add up';
}

/** Which blocks are covered, as a sentence. */
export function searched(coverage: Coverage): string {
  const { fromBlock, toBlock, complete, confirmedBlock } = coverage;
  if (complete) return `Covers all blocks up to ${toBlock}`;
  const soFar = confirmedBlock === undefined ? ' so far' : '';
  return `Covers blocks ${fromBlock} to ${toBlock}${soFar}; ${gapIn(coverage)}`;
}
