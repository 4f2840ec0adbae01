import type { Coverage } from './bodies.ts';

/** The reason why the history of a card is incomplete, as a sentence; undefined if it is complete. */
export function gapIn({ fromBlock, toBlock, complete }: Coverage): string | undefined {
  return complete ? undefined : `History is still loading. Indexed so far: blocks ${fromBlock} to ${toBlock}.`;
}
