import type { Context } from '../runtime/context.ts';
import type { BlockRef } from '../values/block.ts';
import { isoDay } from '../values/iso-time.ts';
import { historyOf } from './history-store.ts';
import { boundaryBefore } from './series.ts';

/** The archives that have been made, each recorded under its UTC day, in a series of the history's table. */
const SERIES = 'archives';

/**
 * As many are kept, however old: each has all of the past, so a few are enough, but nothing may delete the last ones once
 * none are made any more.
 */
export const KEPT_ARCHIVES = 7;

/** An archive of what the service knew. */
export interface MadeArchive {
  /** `2026-11-25`: the day of its last block. */
  day: string;
  block: BlockRef;
}

/** Those that are kept, the newest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
export async function readArchives(context: Context): Promise<MadeArchive[]> {
  return (await historyOf(context).of(SERIES).last('1d', KEPT_ARCHIVES)).map(toArchive);
}

/** Records an archive. False if there is one of its day, which then stays. */
export function recordArchive(context: Context, block: BlockRef): Promise<boolean> {
  const timestamp = boundaryBefore(block.timestamp, '1d');
  return historyOf(context).of(SERIES).write('1d', { timestamp, block, values: {} });
}

function toArchive({ block }: { block: BlockRef }): MadeArchive {
  return { day: isoDay(block.timestamp), block };
}
