import type { BlockRef } from '../values/block.ts';
import { isoDay } from '../values/iso-time.ts';
import type { HistoryContext } from './history-store.ts';
import { boundaryBefore } from './series.ts';

/** The archives that have been made, each recorded under its UTC day, in a series of the history's table. */
const SERIES = 'archives';

/**
 * Number of archives that are kept, however old. Each has the whole history, so a few are enough. Nothing may delete the
 * last ones once no new ones are made.
 */
export const KEPT_ARCHIVES = 7;

/** An archive that has been made. */
export interface MadeArchive {
  /** `2026-11-25`: the day of its last block. */
  day: string;
  block: BlockRef;
}

/** Reads the archives that are kept, the newest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
export async function readArchives(context: HistoryContext): Promise<MadeArchive[]> {
  return (await context.history.of(SERIES).last('1d', KEPT_ARCHIVES)).map(toArchive);
}

/** Records an archive. False if there is one of its day already: that one stays. */
export function recordArchive(context: HistoryContext, block: BlockRef): Promise<boolean> {
  const timestamp = boundaryBefore(block.timestamp, '1d');
  return context.history.of(SERIES).write('1d', { timestamp, block, values: {} });
}

function toArchive({ block }: { block: BlockRef }): MadeArchive {
  return { day: isoDay(block.timestamp), block };
}
