import type { Coverage } from './bodies.ts';

/** The reason why the history of a card is incomplete, as a sentence; undefined if it is complete. */
export function gapIn({ fromBlock, toBlock, complete, confirmedBlock }: Coverage): string | undefined {
  if (complete) return undefined;
  if (confirmedBlock === undefined)
    return `History is still loading. Indexed so far: blocks ${fromBlock} to ${toBlock}.`;
  return 'History is incomplete: later events are not confirmed yet, or too many to add up.';
}
