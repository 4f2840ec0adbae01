import type { BlockRef } from '../values/block.ts';
import { isoDay } from '../values/iso-time.ts';
import { ApiError } from './errors.ts';

/**
 * A service that is frozen answers everything from what was recorded at one block. It asks neither chain nor index, and
 * nothing changes any more, so "now" is that block.
 */
export interface Frozen {
  block: BlockRef;
  /** What the contracts answered, by the key of the call (`lib/chain/recorded-calls.ts`). */
  calls: ReadonlyMap<string, CallOutcome>;
  /** What other sources answered: the datasets made from them, by their key in the cache. */
  datasets: ReadonlyMap<string, unknown>;
}

/** What a call returned, or what it reverted with, 0x-prefixed hex. */
export interface CallOutcome {
  data: string;
  reverted: boolean;
}

/** What counts as now, unix seconds. */
export function secondsNow({ frozen }: { frozen?: Frozen | undefined }): number {
  return frozen?.block.timestamp ?? Math.floor(Date.now() / 1_000);
}

/** The header that says so, a dictionary (RFC 9651): `X-Frozen: block=95044397, timestamp=1789158328`. */
export function frozenHeader(frozen: Pick<Frozen, 'block'> | undefined): Record<string, string> {
  return frozen ? { 'X-Frozen': `block=${frozen.block.number}, timestamp=${frozen.block.timestamp}` } : {};
}

/** The error of whatever was not recorded. */
export function notArchived(block: BlockRef): ApiError {
  const { number, timestamp } = block;
  return new ApiError(
    'NOT_ARCHIVED',
    `This service is frozen: it answers from an archive of ${isoDay(timestamp)} (block ${number}), which does not hold this.`,
    { headers: frozenHeader({ block }) },
  );
}
