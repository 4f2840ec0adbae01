/** The blocks that an answer of the ledger is made from. */

import { type Context, secondsNow } from '../runtime/context.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { Network } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';
import { END_OF_TIME } from '../values/durations.ts';

/** Number of newest blocks of a network that are not indexed yet: about 70 seconds on a public one. */
export function lagOf({ name }: Pick<Network, 'name'>): number {
  return name === 'devnet' ? 0 : 64;
}

/** The covered blocks, without a gap. They are final: nothing in them ever changes. */
export interface Coverage {
  fromBlock: number;
  toBlock: number;
  /** Time of `toBlock`, unix seconds. */
  toTimestamp: number;
  /** The least number of providers on which a part of these blocks rests: 1 or 2. */
  sources: number;
  /** True if they reach back to the protocol's first block. */
  complete: boolean;
}

export function coverageAt(block: BlockRef, coverage: Coverage): Coverage {
  if (coverage.toBlock <= block.number) return coverage;
  return { ...coverage, toBlock: block.number, toTimestamp: block.timestamp };
}

/** Blocks may be some seconds ahead of this machine's clock. */
const AHEAD_SECONDS = 60;

/**
 * A range of times (unix seconds, both included) in whole units of `unit` seconds, each named by its start: from the one that
 * contains `from` to the one that contains `to`, if that is not in the future. Ranges with the same entries thereby share
 * cached responses.
 */
export function limitToPast<Input extends { from?: number | undefined; to?: number | undefined }>(
  input: Input,
  context: Pick<Context, 'clock'>,
  unit = 1,
): Input {
  const { from, to } = input;
  const startOfUnit = (time: number) => Math.floor(time / unit) * unit;
  const last = startOfUnit(secondsNow(context) + AHEAD_SECONDS);
  const isLater = from !== undefined && startOfUnit(from) > last;
  const isOpen = isLater || to === undefined || startOfUnit(to) >= last;
  return {
    ...input,
    from: isLater ? END_OF_TIME : ifKnown(startOfUnit, from),
    to: isOpen ? undefined : startOfUnit(to),
  };
}
